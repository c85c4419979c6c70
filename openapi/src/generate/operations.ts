import type { Components, Document, Method, Operation } from '../document/document.ts'
import { listOperations, resolveIn } from '../document/document.ts'
import { banner, toSource } from './source-text.ts'

/** The tables of operations and their behaviour: one constant per document. */
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
${constants.join('\n')}`
}

function describe(path: string, method: Method, operation: Operation, components: Components) {
  const parameters = (operation.parameters ?? []).map((each) => resolveIn(components.parameters, each))
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
    security: schemes[0],
    takesRunToken: schemes.includes('runToken'),
    scopes: operation.security.map((alternative) => Object.values(alternative).flat()),
    operatorRole: operation['x-operator-role'] ?? null,
    pathParameters: parameters.filter((each) => each.in === 'path').map((each) => each.name),
    requestContentTypes: Object.keys(operation.requestBody?.content ?? {}),
    maxBodyBytes: operation.requestBody?.['x-max-body-bytes'] ?? null,
    successStatus: success?.status,
    errorCodes: responses.flatMap(({ response }) => response['x-error-codes'] ?? []),
    idempotent: operation['x-idempotent'] !== undefined,
    isStream: operation['x-stream'] !== undefined,
    pageLimit: operation['x-pagination']?.limit ?? null,
  }
}

const INTERFACES = `
export interface OperationInfo {
  readonly operationId: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** OpenAPI template, prefix included: \`/api/v1/runs/{run_id}\`. */
  readonly path: string
  /** Name of the security scheme. */
  readonly security: 'apiKey' | 'adminToken' | 'deviceKey' | 'webhookSignature'
  /** Whether the token of a run is accepted, too. */
  readonly takesRunToken: boolean
  /** Alternatives: a key needs every scope of one of them. */
  readonly scopes: readonly (readonly string[])[]
  /** The lowest role of an operator that may call it; null for operations that are not the operator's. */
  readonly operatorRole: 'read' | 'operate' | 'admin' | null
  readonly pathParameters: readonly string[]
  /** Empty for operations without a body. */
  readonly requestContentTypes: readonly string[]
  /** Largest body in bytes; null for operations without a body. */
  readonly maxBodyBytes: number | null
  readonly successStatus: number
  readonly errorCodes: readonly ErrorCode[]
  /** Whether the operation takes an Idempotency-Key. */
  readonly idempotent: boolean
  /** Whether the answer is a stream of server-sent events. */
  readonly isStream: boolean
  /** The query parameter that limits the size of a page; null for operations that are not lists. */
  readonly pageLimit: string | null
}
`
