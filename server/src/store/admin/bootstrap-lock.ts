import type { Statement, Tx } from '../db.ts'

const LOCK: Statement = {
  name: 'lock_bootstrap',
  access: 'write',
  text: `select pg_advisory_xact_lock(hashtextextended('bootstrap', 0))`,
}

/** Serialises the bootstrap of processes that start at the same time. */
export const lockBootstrap = async (tx: Tx): Promise<void> => {
  await tx.query(LOCK, [])
}

/** Timeout, including the wait for another process. */
export const BOOTSTRAP_DEADLINE = { deadlineMs: 60_000 } as const
