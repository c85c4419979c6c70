import type { Document, ListedOperation, Operation } from '../document/document.ts'
import { listOperations } from '../document/document.ts'
import { describeStream, STREAM_INFO } from './operations.ts'
import { describeAnswer, isCallable } from './sdk-methods.ts'
import { banner, toSource } from './source-text.ts'

/** The operations as data. What is not used is left out of a bundle: the methods themselves only use the streams. */
export function generateSdkOperations(document: Document, source: string, tableName: string): string {
  const callable = listOperations(document).filter(({ operation }) => isCallable(operation))
  const rows = callable.map(({ path, method, operation }) => [
    operation.operationId,
    { operationId: operation.operationId, method: method.toUpperCase(), path, ...behaviour(document, operation) },
  ])
  const replayed = callable.filter(({ operation }) => operation['x-idempotent'])
  return `${banner(source)}
${tableName === 'OPERATIONS' ? INTERFACES : "import type { OperationInfo } from './operations.ts'\n"}
${streamTable(callable)}export const ${tableName} = ${toSource(Object.fromEntries(rows)).replace(/"<(\w+)>"/g, '$1')} as const satisfies Record<string, OperationInfo>

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

/** The streams of their own, so that using them does not drag in the rest; bundlers keep what reads a member. */
function streamTable(callable: ListedOperation[]): string {
  const streams = callable.filter(({ operation }) => operation['x-stream'])
  if (streams.length === 0) return ''
  const constants = streams.map(
    ({ operation }) =>
      `const ${operation.operationId} = ${toSource(describeStream(operation))} as const satisfies StreamInfo\n`,
  )
  return `${constants.join('\n')}
/** How each event stream behaves. */
export const STREAMS = { ${streams.map(({ operation }) => operation.operationId).join(', ')} } as const

`
}

function behaviour(document: Document, operation: Operation) {
  const key = operation['x-idempotent']
  const { kind } = describeAnswer(document, operation)
  return {
    ...(key ? { key: { header: key.header, retentionMs: key.retention_seconds * 1000 } } : {}),
    ...(operation['x-stream'] ? { stream: `<${operation.operationId}>` } : {}),
    ...(operation['x-operator-role'] ? { operatorRole: operation['x-operator-role'] } : {}),
    ...(kind === 'bytes' || kind === 'nothing' ? { answer: kind } : {}),
  }
}

const INTERFACES = `import type { ErrorCode } from './errors.ts'

/** What an operation is, and how the client treats it. */
export interface OperationInfo {
  readonly operationId: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** OpenAPI template, prefix included: \`/api/v1/runs/{run_id}\`. */
  readonly path: string
  /** Set when the operation is replayed under an idempotency key, which the gateway remembers for \`retentionMs\`. */
  readonly key?: { readonly header: string; readonly retentionMs: number }
  /** Set when the answer is a resumable event stream. */
  readonly stream?: StreamInfo
  /** Set when the answer is neither JSON nor a stream: bytes, or 204 without a body. */
  readonly answer?: 'bytes' | 'nothing'
  /** The least role of an operator who may ask for it; absent where it is not the operator's. */
  readonly operatorRole?: 'read' | 'operate' | 'admin'
}
${STREAM_INFO}`
