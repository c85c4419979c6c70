import type { Document, Operation } from '../document/document.ts'
import { listOperations } from '../document/document.ts'
import { describeAnswer, isCallable, statusOf } from './sdk-methods.ts'
import { banner, toSource } from './source-text.ts'

/** The operations as data, from which the methods of the client build requests. */
export function generateSdkOperations(document: Document, source: string, tableName: string): string {
  const callable = listOperations(document).filter(({ operation }) => isCallable(operation))
  const rows = callable.map(({ path, method, operation }) => [
    operation.operationId,
    { operationId: operation.operationId, method: method.toUpperCase(), path, ...behaviour(document, operation) },
  ])
  const replayed = callable.filter(({ operation }) => operation['x-idempotent'])
  return `${banner(source)}
${tableName === 'OPERATIONS' ? INTERFACES : "import type { OperationInfo } from './operations.ts'\n"}
export const ${tableName} = ${toSource(Object.fromEntries(rows))} as const satisfies Record<string, OperationInfo>

export type ${tableName === 'OPERATIONS' ? '' : 'Admin'}OperationId = keyof typeof ${tableName}
${
  replayed.length === 0
    ? ''
    : `
/** The operations that are replayed under an idempotency key. */
export type IdempotentOperationId = ${replayed.map(({ operation }) => `'${operation.operationId}'`).join(' | ')}
`
}`
}

function behaviour(document: Document, operation: Operation) {
  const key = operation['x-idempotent']
  const stream = operation['x-stream']
  const { kind } = describeAnswer(document, operation)
  return {
    status: statusOf(operation),
    ...(key ? { key: { header: key.header, retentionMs: key.retention_seconds * 1000 } } : {}),
    ...(operation['x-repeat'] ? { repeat: operation['x-repeat'] } : {}),
    ...(stream ? { stream: describeStream(stream) } : {}),
    ...(operation['x-operator-role'] ? { operatorRole: operation['x-operator-role'] } : {}),
    ...(kind === 'bytes' || kind === 'nothing' ? { answer: kind } : {}),
  }
}

const describeStream = (stream: NonNullable<Operation['x-stream']>) => ({
  over: stream.over,
  resume: stream.resume,
  expired: stream.expired,
  pingSeconds: stream.ping_seconds,
  retryMs: stream.retry_ms,
  terminal: stream.terminal ?? [],
})

const INTERFACES = `import type { ErrorCode } from './errors.ts'

/** What an operation is, and how the client treats it. */
export interface OperationInfo {
  readonly operationId: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** OpenAPI template, prefix included: \`/api/v1/runs/{run_id}\`. */
  readonly path: string
  /** HTTP status of success. */
  readonly status: number
  /** Set if the operation takes an idempotency key, which the gateway remembers for \`retentionMs\`. */
  readonly key?: { readonly header: string; readonly retentionMs: number }
  /** Set for a write without a key. */
  readonly repeat?: Repeat
  /** Set when the answer is a resumable event stream. */
  readonly stream?: StreamInfo
  /** Set when the answer is neither JSON nor a stream: bytes, or 204 without a body. */
  readonly answer?: 'bytes' | 'nothing'
  /** The lowest role of an operator that may call it; absent for operations that are not the operator's. */
  readonly operatorRole?: 'read' | 'operate' | 'admin'
}

/**
 * The effect of a repeated write without a key. \`same\`: it has the same result. \`gone\`: it has no effect and is
 * answered with NOT_FOUND. \`again\`: it takes effect a second time.
 */
export type Repeat = 'same' | 'gone' | 'again'

/** A resumable stream of server-sent events. */
export interface StreamInfo {
  readonly over: 'conversation' | 'run'
  /** The query parameter and the header for the seq to resume after; the header takes precedence. */
  readonly resume: { readonly header: string; readonly query: string }
  /** The error code for a position that is no longer retained. */
  readonly expired: ErrorCode
  readonly pingSeconds: number
  readonly retryMs: number
  /** Event types after which no event of the stream follows; empty when it has no end. */
  readonly terminal: readonly string[]
}
`
