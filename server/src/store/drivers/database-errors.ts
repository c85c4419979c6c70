import { DatabaseUnavailable, UniqueViolation } from '../db.ts'

const UNIQUE_VIOLATION = '23505'

/**
 * The server is going away, coming up, full, or gave the statement up after its timeout: nothing of the statement
 * remains, or nobody knows, and the answer is to try later.
 */
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '57014'])
const CONNECTION_EXCEPTION_CLASS = '08'

/** What pg says, without a code, when a connection was or went away. */
const CONNECTION_MESSAGES: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
  'timeout expired',
])

/**
 * Turns what a driver threw into the store's errors; what means neither of them is returned as it is.
 * @param fault why the connection broke, if it did: its statements are rejected with less than that.
 */
export const toStoreError = (thrown: unknown, fault: Error | null = null): unknown => {
  const error = fault !== null && !isFromServer(thrown) ? fault : thrown
  if (!(error instanceof Error)) return error
  if (!isFromServer(error)) {
    const unreachable = textOf(error, 'syscall') !== null || CONNECTION_MESSAGES.has(error.message)
    return unreachable ? new DatabaseUnavailable(error.message, { cause: error }) : error
  }
  const state = textOf(error, 'code') ?? ''
  if (state === UNIQUE_VIOLATION) return new UniqueViolation(textOf(error, 'constraint') ?? '', { cause: error })
  const unavailable = UNAVAILABLE_STATES.has(state) || state.startsWith(CONNECTION_EXCEPTION_CLASS)
  return unavailable ? new DatabaseUnavailable(error.message, { cause: error }) : error
}

/** Only errors that the server reports have a severity. The two drivers do not share a class for them. */
const isFromServer = (error: unknown): boolean => error instanceof Error && textOf(error, 'severity') !== null

const textOf = (error: object, name: string): string | null => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : null
}
