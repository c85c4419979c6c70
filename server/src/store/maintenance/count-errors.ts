import type { Db } from '../db.ts'
import { DatabaseUnavailable, UniqueViolation } from '../db.ts'

/** How the database failed those who asked it: not there, there but perhaps done all the same, or a statement was refused. */
export const DATABASE_ERRORS = ['unavailable', 'unknown_outcome', 'refused'] as const
export type DatabaseError = (typeof DATABASE_ERRORS)[number]

/** A database like the given one, which tells of each statement and transaction that fails. */
export const countErrors = (db: Db, count: (error: DatabaseError) => void): Db => {
  const told = (error: unknown): never => {
    if (error instanceof DatabaseUnavailable) count(error.outcome === 'unknown' ? 'unknown_outcome' : 'unavailable')
    else if (isOfDatabase(error)) count('refused')
    throw error
  }
  return {
    ...db,
    query: (statement, params) => db.query<never>(statement, params).catch(told),
    transaction: (work, options) => db.transaction(work, options).catch(told),
  }
}

/** What PostgreSQL says has an SQLSTATE; a constraint that answers a question is no error. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof UniqueViolation) && 'code' in error && 'severity' in error
