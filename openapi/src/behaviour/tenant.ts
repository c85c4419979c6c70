/** The owner whose records a request may access. */
export interface Tenant {
  readonly appId: string
  readonly subject: string
}
