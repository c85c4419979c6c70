import type { Db, Param, Row, Statement, Tx } from '../db.ts'

/** How long a batch that removes what is old may take: nobody waits for its answer. */
export const BATCH_DEADLINE = { deadlineMs: 60_000 } as const

const OWN_PLAN: Statement = {
  name: 'own_plan',
  access: 'write',
  text: "select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'on', true)",
}

/**
 * Lets each statement of the transaction have a plan made for its parameters. For statements that look for what is older
 * than a moment: that is next to nothing of a table or all of it, and a plan that suits any moment reads it all.
 */
export const planByParameters = async (tx: Tx): Promise<void> => {
  await tx.query(OWN_PLAN, [])
}

/** Runs a statement, in a transaction of its own, by a plan made for its parameters. */
export const queryByOwnPlan = <R extends object = Row>(
  db: Db,
  statement: Statement,
  params: readonly Param[],
): Promise<R[]> =>
  db.transaction(async (tx) => {
    await planByParameters(tx)
    return tx.query<R>(statement, params)
  }, BATCH_DEADLINE)
