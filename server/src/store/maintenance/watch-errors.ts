import type { Db } from '../db.ts'
import { DatabaseUnavailable, UniqueViolation } from '../db.ts'

/** The kind of a database failure: unavailable, unknown outcome, or a refused statement. */
export const DATABASE_ERRORS = ['unavailable', 'unknown_outcome', 'refused'] as const
export type DatabaseError = (typeof DATABASE_ERRORS)[number]

/** Wraps a database, and reports its failed statements and transactions to a listener. */
export interface WatchedDb {
  readonly db: Db
  onError(listener: (error: DatabaseError) => void): void
}

export const watchErrors = (db: Db): WatchedDb => {
  const listeners: ((error: DatabaseError) => void)[] = []
  const report = (error: DatabaseError): void => {
    for (const listener of listeners) listener(error)
  }
  const reportAndThrow = (error: unknown): never => {
    if (error instanceof DatabaseUnavailable) report(error.outcome === 'unknown' ? 'unknown_outcome' : 'unavailable')
    else if (isOfDatabase(error)) report('refused')
    throw error
  }
  return {
    db: {
      ...db,
      query: (statement, params) => db.query<never>(statement, params).catch(reportAndThrow),
      transaction: (work, options) => db.transaction(work, options).catch(reportAndThrow),
    },
    onError: (listener) => {
      listeners.push(listener)
    },
  }
}

/** PostgreSQL's errors have an SQLSTATE. An expected constraint violation is not reported. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof UniqueViolation) && 'code' in error && 'severity' in error
