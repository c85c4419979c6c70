import { onTestFinished } from 'vitest'
import type { Db } from '../../../src/store/db.ts'
import { createPgDb, type PgDbOptions } from '../../../src/store/drivers/pg.ts'

/** Opens a Db that is closed after the test. */
export const openDb = (options: PgDbOptions): Db => {
  const db = createPgDb(options)
  onTestFinished(() => db.close())
  return db
}
