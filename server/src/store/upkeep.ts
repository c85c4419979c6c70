import type { Db, Statement } from './db.ts'

const VACUUM: Statement = { name: 'vacuum', text: 'vacuum (analyze)' }

/** Clears dead rows and renews statistics where nobody else does: the embedded database has no autovacuum. */
export const keepUpDatabase = async (db: Db): Promise<void> => {
  if (db.kind === 'embedded') await db.query(VACUUM, [])
}
