import { CONTRACT, type ContractOperation } from '../generated/contract.ts'

/** The operations of the in-memory gateway. */
export type TestedOperationId = keyof typeof CONTRACT

/** The operations that authenticate with an API key. They act for a subject. */
export type BearerOperationId = {
  [Id in TestedOperationId]: (typeof CONTRACT)[Id]['security'] extends 'apiKey' ? Id : never
}[TestedOperationId]

const PATTERNS = Object.entries<ContractOperation>(CONTRACT).map(([operationId, { method, path }]) => ({
  operationId: operationId as TestedOperationId,
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

export interface FoundOperation {
  readonly operationId: TestedOperationId
  /** The path parameters, by their names in the contract. */
  readonly ids: Readonly<Record<string, string>>
}

export const findOperation = ({ method, url }: Request): FoundOperation | undefined => {
  const { pathname } = new URL(url)
  for (const { operationId, pattern, ...operation } of PATTERNS) {
    const match = operation.method === method ? pattern.exec(pathname) : null
    if (match === null) continue
    const ids = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeId(value)])
    return { operationId, ids: Object.fromEntries(ids) }
  }
  return undefined
}

/** An ID that cannot be decoded stays as it was sent, and is not found. */
const decodeId = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
