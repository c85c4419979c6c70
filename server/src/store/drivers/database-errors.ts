import { DatabaseUnavailable, LockTimeout, UniqueViolation } from '../db.ts'

const UNIQUE_VIOLATION = '23505'
/** Lock timeout, and deadlock. */
const LOCK_STATES: ReadonlySet<string> = new Set(['55P03', '40P01'])
const READ_ONLY_TRANSACTION = '25006'

/** Connection exceptions, insufficient resources (a full disk), operator intervention, system errors. */
const UNAVAILABLE_CLASSES: ReadonlySet<string> = new Set(['08', '53', '57', '58'])
/** Read-only servers, timeouts of transactions, and transaction conflicts. */
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set([READ_ONLY_TRANSACTION, '25P03', '25P04', '40001'])

const NO_ROOM: ReadonlySet<string> = new Set(['53100', '53200', '53400', '58030'])

/** pg's messages, without a code, for a closed or unresponsive connection. */
const CONNECTION_MESSAGES: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout expired',
])
/** pg's messages for a command that was not sent. */
const UNSENT_MESSAGES: ReadonlySet<string> = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])

export interface FailedCommand {
  /** Why the connection broke, which the errors of its statements do not say. */
  readonly fault: Error | null
  /** Whether executing the command commits changes, so that a lost answer leaves the outcome unknown. */
  readonly commits: boolean
}

/** Converts a driver's error to the store's errors; returns other errors unchanged. */
export const toStoreError = (thrown: unknown, { fault, commits }: FailedCommand): unknown => {
  if (thrown instanceof DatabaseUnavailable) return thrown
  if (thrown instanceof Error && UNSENT_MESSAGES.has(thrown.message))
    return new DatabaseUnavailable(fault?.message ?? thrown.message, { cause: fault ?? thrown })
  const error = fault !== null && !isFromServer(thrown) ? fault : thrown
  if (!(error instanceof Error)) return error
  if (!isFromServer(error)) {
    const unreachable = textOf(error, 'syscall') !== null || CONNECTION_MESSAGES.has(error.message)
    return unreachable ? unavailable(error, commits) : error
  }
  const state = textOf(error, 'code') ?? ''
  if (state === UNIQUE_VIOLATION) return new UniqueViolation(textOf(error, 'constraint') ?? '', { cause: error })
  if (LOCK_STATES.has(state)) return new LockTimeout(error.message, { cause: error })
  return isUnavailable(state) ? unavailable(error, commits && !isRolledBack(error, state)) : error
}

/** The error of a failed connection: the database is unavailable, for any reason. */
export const toConnectError = (thrown: unknown): DatabaseUnavailable =>
  thrown instanceof DatabaseUnavailable
    ? thrown
    : new DatabaseUnavailable(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })

/** Whether the server has become read-only, so that all its connections are useless. */
export const isReadOnly = (error: unknown): boolean => stateOf(error) === READ_ONLY_TRANSACTION

/** Whether the server had no room for a write: a full disk, no memory, a limit of its configuration, an I/O error. */
export const lacksRoom = (error: unknown): boolean => NO_ROOM.has(stateOf(error) ?? '')

/** Whether the session remains usable: a statement found no room, was cancelled, or waited too long for a lock. */
export const leavesSessionUsable = (error: unknown): boolean => {
  const state = stateOf(error)
  if (state === null || !(error instanceof DatabaseUnavailable)) return false
  return error instanceof LockTimeout || (isRolledBack(error.cause, state) && state !== READ_ONLY_TRANSACTION)
}

const isUnavailable = (state: string): boolean =>
  UNAVAILABLE_CLASSES.has(state.slice(0, 2)) || UNAVAILABLE_STATES.has(state)

/**
 * After an ERROR the server has rolled back and continues. An error that ends the session (FATAL, PANIC), or a pooler's
 * report about its server connection (class 08), may follow a commit. A severity in another language is treated as
 * FATAL.
 */
const isRolledBack = (error: unknown, state: string): boolean =>
  error instanceof Error && textOf(error, 'severity') === 'ERROR' && !state.startsWith('08')

const unavailable = (cause: Error, isUnknown: boolean): DatabaseUnavailable =>
  new DatabaseUnavailable(cause.message, { cause, outcome: isUnknown ? 'unknown' : 'none' })

/** The SQLSTATE of a store error; null if no server reported one. */
const stateOf = (error: unknown): string | null =>
  error instanceof Error && error.cause instanceof Error && isFromServer(error.cause)
    ? textOf(error.cause, 'code')
    : null

/** Only errors that the server reports have a severity. */
const isFromServer = (error: unknown): boolean => error instanceof Error && textOf(error, 'severity') !== null

const textOf = (error: object, name: string): string | null => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : null
}
