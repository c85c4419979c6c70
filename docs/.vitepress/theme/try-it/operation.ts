/** What the generated pages tell the form about an operation. */
export interface TryItOperation {
  readonly id: string
  readonly summary: string
  readonly method: string
  /** OpenAPI template. */
  readonly path: string
  readonly credential: 'apiKey' | 'adminToken'
  /** Set when the operation is replayed under a key, which the form makes for each new intention. */
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
