import { OPERATIONS } from '../generated/operations.ts'
import { ROUTES } from './routes.ts'
import type { BearerOperationId, TestedOperationId } from './tested-operation.ts'

/** One operation of the gateway in memory. */
export interface TestedOperation {
  readonly operationId: TestedOperationId
  readonly method: string
  /** As in the contract: `/api/v1/runs/{run_id}`. */
  readonly path: string
}

const isBearerOperation = (operationId: string): operationId is BearerOperationId => Object.hasOwn(ROUTES, operationId)

/** Every operation of the contract that takes an API key or a signature. */
export const TESTED_OPERATIONS: readonly TestedOperation[] = [
  ...Object.values(OPERATIONS).flatMap(({ operationId, method, path }) =>
    isBearerOperation(operationId) ? [{ operationId, method, path }] : [],
  ),
  { operationId: 'receiveWebhook', method: 'POST', path: '/api/v1/webhooks/{integration_id}' },
]

const PATTERNS = TESTED_OPERATIONS.map(({ operationId, method, path }) => ({
  operationId,
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

export interface FoundOperation {
  readonly operationId: TestedOperationId
  /** Path IDs by their name in the contract. */
  readonly ids: Readonly<Record<string, string>>
}

export const findOperation = ({ method, url }: Request): FoundOperation | undefined => {
  const { pathname } = new URL(url)
  for (const { operationId, pattern, ...operation } of PATTERNS) {
    const match = operation.method === method ? pattern.exec(pathname) : null
    if (match === null) continue
    const ids = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    return { operationId, ids: Object.fromEntries(ids) }
  }
  return undefined
}
