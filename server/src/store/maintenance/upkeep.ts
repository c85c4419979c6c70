import type { Db, Statement } from '../db.ts'

/** Tables that have so many dead or new rows that scans and plans suffer. */
const WORN_TABLES: Statement = {
  name: 'worn_tables',
  text: `select relid::regclass::text as name from pg_stat_user_tables
    where n_dead_tup > 200 + n_live_tup / 5 or n_mod_since_analyze > 200 + n_live_tup / 10
    order by n_dead_tup desc`,
}

/**
 * Clears dead rows and renews statistics where nobody else does: the embedded database has no autovacuum. Table by table,
 * as each one needs it, so that requests in between wait for a few milliseconds only.
 */
export const keepUpDatabase = async (db: Db, signal: AbortSignal): Promise<void> => {
  if (db.kind !== 'embedded') return
  for (const { name } of await db.query<{ name: string }>(WORN_TABLES, [])) {
    if (signal.aborted) return
    await db.query({ name: `vacuum_${name}`, text: `vacuum (analyze) ${name}` }, [])
  }
}
