import type { Db, Param, Statement, Tx } from '../../../src/store/db.ts'

/** Wraps the Db: calls `happens` before each statement of a transaction. */
export const beforeStatement = (
  db: Db,
  happens: (statement: Statement, tx: Tx, params: readonly Param[]) => void,
): Db => ({
  ...db,
  transaction: (work, options) =>
    db.transaction(
      (tx) =>
        work({
          inTransaction: true,
          query: (statement, params) => {
            happens(statement, tx, params)
            return tx.query(statement, params)
          },
        }),
      options,
    ),
})
