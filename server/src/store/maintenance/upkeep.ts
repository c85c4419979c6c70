import type { Db, Statement } from '../db.ts'

interface WornTable {
  readonly name: string
  readonly isDirty: boolean
  readonly isStale: boolean
}

/** Tables with so many dead rows that scans become slow, or so many changed rows that plans may be bad. */
const WORN_TABLES: Statement = {
  name: 'worn_tables',
  access: 'read',
  text: `select name, "isDirty", "isStale" from (
      select relid::regclass::text as name, n_dead_tup,
        n_dead_tup > 200 + n_live_tup / 5 as "isDirty", n_mod_since_analyze > 500 + n_live_tup / 2 as "isStale"
      from pg_stat_user_tables
    ) tables
    where "isDirty" or "isStale"
    order by n_dead_tup desc`,
}

/**
 * Vacuums and analyzes the embedded database, which has no autovacuum. Each table has separate statements. Requests are
 * served in between, so that they wait for only a few milliseconds.
 */
export const keepUpDatabase = async (db: Db, signal: AbortSignal): Promise<void> => {
  if (db.kind !== 'embedded') return
  for (const { name, isDirty, isStale } of await db.query<WornTable>(WORN_TABLES, [])) {
    for (const task of [...(isDirty ? ['vacuum'] : []), ...(isStale ? ['analyze'] : [])]) {
      if (signal.aborted) return
      await db.query({ name: `${task}_${name}`, access: 'write', text: `${task} ${name}` }, [])
    }
  }
}
