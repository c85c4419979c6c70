/** The owner whose records a request may access. Every store function takes it first. */
export interface Tenant {
  readonly appId: string
  readonly subject: string
}
