/** The parts of a bundled OpenAPI document that the generators read. Redocly's linter has checked its structure. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface Reference {
  $ref: string
}

export interface Document {
  openapi: string
  tags?: { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, { post: Operation }>
  components: Components
}

export interface Components {
  schemas: Record<string, Schema>
  parameters?: Record<string, Parameter>
  headers?: Record<string, Header>
  responses?: Record<string, Response>
  examples?: Record<string, { value: Json }>
  'x-errors'?: Record<string, ErrorEntry>
  'x-limits'?: Record<string, { value: number; description: string }>
}

export const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const
export type Method = (typeof METHODS)[number]
export type PathItem = Partial<Record<Method, Operation>>

export interface Operation {
  operationId: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: Record<string, MediaType>; 'x-max-body-bytes': number }
  responses: Record<string, Response | Reference>
  summary?: string
  description?: string
  'x-sdk-method'?: string
  'x-operator-role'?: 'read' | 'operate' | 'admin'
  /**
   * The effect of repeating a write without a key. `same`: it has the same result. `gone`: it has no effect and is
   * answered with NOT_FOUND. `again`: it takes effect a second time.
   */
  'x-repeat'?: 'same' | 'gone' | 'again'
  'x-idempotent'?: { header: string; retention_seconds: number }
  'x-stream'?: {
    resume: { header: string; query: string }
    over: 'conversation' | 'run'
    expired: string
    ping_seconds: number
    retry_ms: number
    /** The operation that reads whether the object of the stream has ended. */
    ended?: { poll: string; id: string; done: string[] }
    terminal?: string[]
  }
  'x-pagination'?: {
    items: string
    limit: string
    cursor: { query: string; field: string; from: 'first' | 'last' }
    order: string
    end: 'empty-page'
  }
  'x-long-running'?: { poll: string; id: string; done: string[] }
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
  example?: Json
}

export interface Header {
  schema: Schema
  required?: boolean
  example?: Json
}

export interface MediaType {
  schema?: Schema
  examples?: Record<string, { value: Json } | Reference>
}

export interface Response {
  description: string
  headers?: Record<string, Header | Reference>
  content?: Record<string, MediaType>
  'x-error-codes'?: string[]
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: Json[]
  const?: Json
  format?: string
  anyOf?: Schema[]
  allOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: boolean | Schema
  unevaluatedProperties?: boolean
  examples?: Json[]
  'x-open-enum'?: boolean
  'x-open'?: boolean
  [keyword: string]: unknown
}

export interface ErrorEntry {
  status: number
  title: string
  description: string
  retryable: boolean
  /** Whether the failed request had no effect, or may have had one. */
  happened: 'nothing' | 'unknown'
  final_for_key?: boolean
  /** The problem has `outcome: unknown` if the request may have taken effect. */
  tells_outcome?: boolean
}

export interface ListedOperation<Described = Operation> {
  path: string
  method: Method
  operation: Described
}

/**
 * Every operation under `paths`, with its path template and method. The caller can pass a type that declares only the
 * members that it reads.
 */
export function listOperations<Described>(document: {
  readonly paths: Readonly<Record<string, { readonly [Name in Method]?: Described }>>
}): ListedOperation<Described>[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ path, method, operation }] : []
    }),
  )
}

/** Resolves a component that may be a reference; throws if its target does not exist. */
export function resolveIn<T extends object>(table: Record<string, T> | undefined, value: T | Reference): T {
  if (!isReference(value)) return value
  const target = table?.[componentName(value)]
  if (!target) throw new Error(`${value.$ref} does not exist`)
  return target
}

/** The name of the component that a reference points to. */
export const componentName = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1)

export const isReference = (value: object): value is Reference => '$ref' in value && typeof value.$ref === 'string'
