/** An operation, as the generated pages pass it to the form. */
export interface TryItOperation {
  readonly id: string
  readonly summary: string
  readonly method: string
  /** OpenAPI template. */
  readonly path: string
  readonly credential: 'apiKey' | 'adminToken'
  /** Set if the operation takes an idempotency key. The form creates one for each new request. */
  readonly idempotencyHeader: string | null
  readonly isStream: boolean
  readonly takesSubject: boolean
  readonly parameters: readonly TryItParameter[]
  readonly body: { readonly isJson: boolean; readonly example: string } | null
}

export interface TryItParameter {
  readonly name: string
  readonly place: 'path' | 'query' | 'header'
  readonly isRequired: boolean
  readonly example: string
}
