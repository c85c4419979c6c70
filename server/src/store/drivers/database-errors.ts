import { DatabaseUnavailable, LockTimeout, UniqueViolation } from '../db.ts'

const UNIQUE_VIOLATION = '23505'
/** A lock was not given in time; it would never have been given. */
const LOCK_STATES: ReadonlySet<string> = new Set(['55P03', '40P01'])
const READ_ONLY_TRANSACTION = '25006'

/** Connection exceptions, insufficient resources (a full disk), operator intervention, faults of the system. */
const UNAVAILABLE_CLASSES: ReadonlySet<string> = new Set(['08', '53', '57', '58'])
/** A server that takes no writes, sessions ended for idling, and transactions that others stood in the way of. */
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set([READ_ONLY_TRANSACTION, '25P03', '25P04', '40001'])

const NO_ROOM: ReadonlySet<string> = new Set(['53100', '53200', '53400', '58030'])

/** What pg says, without a code, when a connection was or went away. */
const CONNECTION_MESSAGES: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout expired',
])
/** What it says when it has not sent the command at all. */
const UNSENT_MESSAGES: ReadonlySet<string> = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])

export interface FailedCommand {
  /** Why the connection broke, if it did: its statements are rejected with less than that. */
  readonly fault: Error | null
  /** Whether the command commits, once it is carried out, what somebody may miss. */
  readonly commits: boolean
}

/** Turns what a driver threw into the store's errors; what means none of them is returned as it is. */
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

/** Why no connection could be opened: whatever the reason, the database cannot be used. */
export const toConnectError = (thrown: unknown): DatabaseUnavailable =>
  thrown instanceof DatabaseUnavailable
    ? thrown
    : new DatabaseUnavailable(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })

/** Whether the server has become one that takes no writes, so that no connection to it is of use. */
export const isReadOnly = (error: unknown): boolean => stateOf(error) === READ_ONLY_TRANSACTION

/** Whether the server had no room for a write: a full disk, no memory, a limit of its configuration, a device that fails. */
export const lacksRoom = (error: unknown): boolean => NO_ROOM.has(stateOf(error) ?? '')

/** Whether the session goes on as if nothing had happened: a statement found no room, or was cancelled. */
export const leavesSessionUsable = (error: unknown): boolean => {
  const state = stateOf(error)
  if (state === null || !(error instanceof DatabaseUnavailable)) return false
  return error instanceof LockTimeout || (isRolledBack(error.cause, state) && state !== READ_ONLY_TRANSACTION)
}

const isUnavailable = (state: string): boolean =>
  UNAVAILABLE_CLASSES.has(state.slice(0, 2)) || UNAVAILABLE_STATES.has(state)

/**
 * A server that reports an ERROR has rolled back and goes on. What ends the session (FATAL, PANIC), and what a pooler
 * reports about the connection behind it (class 08), may have come after the commit. A severity in another language
 * counts as that.
 */
const isRolledBack = (error: unknown, state: string): boolean =>
  error instanceof Error && textOf(error, 'severity') === 'ERROR' && !state.startsWith('08')

const unavailable = (cause: Error, isUnknown: boolean): DatabaseUnavailable =>
  new DatabaseUnavailable(cause.message, { cause, outcome: isUnknown ? 'unknown' : 'none' })

/** The SQLSTATE behind an error of the store; null where no server reported one. */
const stateOf = (error: unknown): string | null =>
  error instanceof Error && error.cause instanceof Error && isFromServer(error.cause)
    ? textOf(error.cause, 'code')
    : null

/** Only errors that the server reports have a severity. The two drivers do not share a class for them. */
const isFromServer = (error: unknown): boolean => error instanceof Error && textOf(error, 'severity') !== null

const textOf = (error: object, name: string): string | null => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : null
}
