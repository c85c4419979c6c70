import type { Db, Param, Row, Statement, Tx } from '../db.ts'

/** Timeout of a statement that may read many rows, such as a batch of retention or a list for the operator. */
export const BATCH_DEADLINE = { deadlineMs: 60_000 } as const

const OWN_PLAN: Statement = {
  name: 'own_plan',
  access: 'write',
  text: "select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'on', true)",
}

/**
 * Plans each statement of the transaction for its parameters. This suits statements that select rows older than a given
 * time, which match almost nothing or the whole table; a generic plan would read the whole table.
 */
export const planByParameters = async (tx: Tx): Promise<void> => {
  await tx.query(OWN_PLAN, [])
}

/** Runs a statement in its own transaction, planned for its parameters. */
export const queryByOwnPlan = <R extends object = Row>(
  db: Db,
  statement: Statement,
  params: readonly Param[],
): Promise<R[]> =>
  db.transaction(async (tx) => {
    await planByParameters(tx)
    return tx.query<R>(statement, params)
  }, BATCH_DEADLINE)
