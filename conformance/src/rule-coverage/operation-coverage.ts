import { parse } from 'yaml'

/** `operations.yaml`: which check asks for an operation, or why none does. */
export interface OperationList {
  readonly checks: Readonly<Record<string, string>>
  readonly excluded: Readonly<Record<string, string>>
}

/** Compares the list with the operations of the documents and the checks of the suite. Gives what is wrong, in sentences. */
export function faultsOfOperations(
  { checks, excluded }: OperationList,
  operations: readonly string[],
  checkIds: ReadonlySet<string>,
): string[] {
  const known = new Set(operations)
  return [
    ...operations
      .filter((operation) => checks[operation] === undefined && excluded[operation] === undefined)
      .map((operation) => `no check asks for ${operation}; name one in operations.yaml, or a reason`),
    ...[...Object.keys(checks), ...Object.keys(excluded)]
      .filter((operation) => !known.has(operation))
      .map((operation) => `operations.yaml names ${operation}, which no document has`),
    ...Object.keys(excluded)
      .filter((operation) => checks[operation] !== undefined)
      .map((operation) => `operations.yaml has both a check and a reason for ${operation}`),
    ...Object.entries(checks)
      .filter(([, check]) => !checkIds.has(check))
      .map(([operation, check]) => `operations.yaml names ${check} for ${operation}, and there is no such check`),
  ]
}

/** @throws {Error} it is not a list of checks and reasons. */
export function parseOperationList(text: string): OperationList {
  const { checks, excluded } = Object(parse(text))
  for (const part of [checks, excluded])
    for (const [operation, value] of Object.entries(Object(part)))
      if (typeof value !== 'string' || value.trim() === '')
        throw new Error(`operations.yaml, ${operation}: must be the ID of a check, or a reason`)
  return { checks: Object(checks), excluded: Object(excluded) }
}
