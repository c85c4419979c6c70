import type { Db, Queryable } from '../../../src/store/db.ts'

/** The Db with its `query` replaced, also in its transactions. */
export const wrapQueries = (db: Db, wrap: (of: Queryable) => Queryable['query']): Db => ({
  ...db,
  query: wrap(db),
  transaction: (work, options) => db.transaction((tx) => work({ inTransaction: true, query: wrap(tx) }), options),
})
