/** Whose records a request may touch. Every store function takes it first. */
export interface Tenant {
  readonly appId: string
  readonly subject: string
}
