import type { Components, Document, Method, Operation } from '../document/document.ts'
import { listOperations, resolveIn } from '../document/document.ts'
import { banner, toSource } from './source-text.ts'

/** The behaviour tables: one constant a document, holding what its operations are and how they behave. */
export function generateOperations(tables: Record<string, Document>): string {
  const constants = Object.entries(tables).map(([name, document]) => {
    const rows = listOperations(document).map(({ path, method, operation }) => [
      operation.operationId,
      describe(path, method, operation, document.components),
    ])
    return `export const ${name} = ${toSource(Object.fromEntries(rows))} as const satisfies Record<string, OperationInfo>\n`
  })
  return `${banner('openapi/*.yaml')}
import type { ErrorCode } from './errors.ts'
${INTERFACES}
${constants.join('\n')}
${Object.keys(tables)
  .map((name) => `export type ${typeName(name)} = keyof typeof ${name}`)
  .join('\n')}
`
}

function describe(path: string, method: Method, operation: Operation, components: Components) {
  const parameters = (operation.parameters ?? []).map((each) => resolveIn(components.parameters, each))
  const named = (place: string) => parameters.filter((each) => each.in === place).map((each) => each.name)
  const responses = Object.entries(operation.responses).map(([status, response]) => ({
    status: Number(status),
    response: resolveIn(components.responses, response),
  }))
  const success = responses.find(({ status }) => status < 300)
  const schemes = operation.security.flatMap((alternative) => Object.keys(alternative))
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path,
    tag: operation.tags[0],
    security: schemes[0],
    takesRunToken: schemes.includes('runToken'),
    scopes: operation.security.map((alternative) => Object.values(alternative).flat()),
    operatorRole: operation['x-operator-role'] ?? null,
    parameters: { path: named('path'), query: named('query'), header: named('header') },
    requestContentTypes: Object.keys(operation.requestBody?.content ?? {}),
    maxBodyBytes: operation.requestBody?.['x-max-body-bytes'] ?? null,
    successStatus: success?.status,
    responseContentTypes: Object.keys(success?.response.content ?? {}),
    errorCodes: responses.flatMap(({ response }) => response['x-error-codes'] ?? []),
    idempotent: operation['x-idempotent'] !== undefined,
    stream: describeStream(operation),
    pagination: operation['x-pagination'] ?? null,
    longRunning: operation['x-long-running'] ?? null,
  }
}

export function describeStream({ 'x-stream': stream }: Operation) {
  if (!stream) return null
  return {
    over: stream.over,
    resume: stream.resume,
    expired: stream.expired,
    pingSeconds: stream.ping_seconds,
    retryMs: stream.retry_ms,
    terminal: stream.terminal ?? [],
  }
}

/** OPERATIONS → OperationId, ADMIN_OPERATIONS → AdminOperationId. */
const typeName = (table: string): string =>
  `${table
    .toLowerCase()
    .replace(/s$/, '')
    .replace(/(^|_)(.)/g, (_match, _separator, letter: string) => letter.toUpperCase())}Id`

/** The stream part of both behaviour tables. */
export const STREAM_INFO = `
/** A resumable stream of server-sent events. */
export interface StreamInfo {
  readonly over: 'conversation' | 'run'
  /** Where the seq to resume after is sent; the header wins. */
  readonly resume: { readonly header: string; readonly query: string }
  /** The code that says that the position is no longer retained. */
  readonly expired: ErrorCode
  readonly pingSeconds: number
  readonly retryMs: number
  /** Event types after which no event of the stream follows; empty when it has no end. */
  readonly terminal: readonly string[]
}
`

const INTERFACES = `
export interface OperationInfo {
  readonly operationId: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** OpenAPI template, prefix included: \`/api/v1/runs/{run_id}\`. */
  readonly path: string
  readonly tag: string
  /** Name of the security scheme. */
  readonly security: 'apiKey' | 'adminToken' | 'deviceKey' | 'webhookSignature'
  /** Whether the token of a run does as well. */
  readonly takesRunToken: boolean
  /** Alternatives: a key needs every scope of one of them. */
  readonly scopes: readonly (readonly string[])[]
  /** The least role of an operator who may ask for it; null for what is not the operator's. */
  readonly operatorRole: 'read' | 'operate' | 'admin' | null
  readonly parameters: {
    readonly path: readonly string[]
    readonly query: readonly string[]
    readonly header: readonly string[]
  }
  /** Empty for operations without a body. */
  readonly requestContentTypes: readonly string[]
  /** Largest body in bytes; null for operations without a body. */
  readonly maxBodyBytes: number | null
  readonly successStatus: number
  /** Empty for an answer without a body. */
  readonly responseContentTypes: readonly string[]
  readonly errorCodes: readonly ErrorCode[]
  /** Whether the operation is replayed under an Idempotency-Key. */
  readonly idempotent: boolean
  readonly stream: StreamInfo | null
  readonly pagination: PaginationInfo | null
  readonly longRunning: LongRunningInfo | null
}
${STREAM_INFO}
/** Pages follow each other through \`cursor.query\`, which takes \`cursor.field\` of the first or last item. */
export interface PaginationInfo {
  readonly items: string
  readonly limit: string
  readonly cursor: { readonly query: string; readonly field: string; readonly from: 'first' | 'last' }
  readonly order: string
  readonly end: 'empty-page'
}

/** The answer only admits; the operation \`poll\`, called with the answer's \`id\`, tells when it is \`done\`. */
export interface LongRunningInfo {
  readonly poll: string
  readonly id: string
  readonly done: readonly string[]
}
`
