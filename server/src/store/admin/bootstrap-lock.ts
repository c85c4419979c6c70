import type { Statement, Tx } from '../db.ts'

const LOCK: Statement = {
  name: 'lock_bootstrap',
  access: 'write',
  text: `select pg_advisory_xact_lock(hashtextextended('bootstrap', 0))`,
}

/** Lets processes that start at the same time apply what they start with one after the other. */
export const lockBootstrap = async (tx: Tx): Promise<void> => {
  await tx.query(LOCK, [])
}

/** How long that may take, the wait for the other process included. */
export const BOOTSTRAP_DEADLINE = { deadlineMs: 60_000 } as const
