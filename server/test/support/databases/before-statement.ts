import type { Db, Param, Statement, Tx } from '../../../src/store/db.ts'

/** Wraps the Db: calls `onStatement` before each statement of a transaction. */
export const beforeStatement = (
  db: Db,
  onStatement: (statement: Statement, tx: Tx, params: readonly Param[]) => void,
): Db => ({
  ...db,
  transaction: (work, options) =>
    db.transaction(
      (tx) =>
        work({
          inTransaction: true,
          query: (statement, params) => {
            onStatement(statement, tx, params)
            return tx.query(statement, params)
          },
        }),
      options,
    ),
})
