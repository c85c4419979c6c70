import type { Db } from '../db.ts'
import { DatabaseUnavailable, UniqueViolation } from '../db.ts'

/** How the database failed those who asked it: not there, there but perhaps done all the same, or a statement was refused. */
export const DATABASE_ERRORS = ['unavailable', 'unknown_outcome', 'refused'] as const
export type DatabaseError = (typeof DATABASE_ERRORS)[number]

/** A database like the given one, and a way to listen to the statements and transactions of it that fail. */
export interface WatchedDb {
  readonly db: Db
  onError(listener: (error: DatabaseError) => void): void
}

export const watchErrors = (db: Db): WatchedDb => {
  const listeners: ((error: DatabaseError) => void)[] = []
  const tell = (error: DatabaseError): void => {
    for (const listener of listeners) listener(error)
  }
  const told = (error: unknown): never => {
    if (error instanceof DatabaseUnavailable) tell(error.outcome === 'unknown' ? 'unknown_outcome' : 'unavailable')
    else if (isOfDatabase(error)) tell('refused')
    throw error
  }
  return {
    db: {
      ...db,
      query: (statement, params) => db.query<never>(statement, params).catch(told),
      transaction: (work, options) => db.transaction(work, options).catch(told),
    },
    onError: (listener) => {
      listeners.push(listener)
    },
  }
}

/** What PostgreSQL says has an SQLSTATE; a constraint that answers a question is no error. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof UniqueViolation) && 'code' in error && 'severity' in error
