import type { Db, Statement, Tx } from '../../../src/store/db.ts'

/** The Db with something that happens just before a statement, within its transaction. */
export const beforeStatement = (db: Db, happens: (statement: Statement, tx: Tx) => void): Db => ({
  ...db,
  transaction: (work, options) =>
    db.transaction(
      (tx) =>
        work({
          inTransaction: true,
          query: (statement, params) => {
            happens(statement, tx)
            return tx.query(statement, params)
          },
        }),
      options,
    ),
})
