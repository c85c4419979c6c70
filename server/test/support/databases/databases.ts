import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { Db } from '../../../src/store/db.ts'
import { createPgDb } from '../../../src/store/drivers/pg.ts'
import { type CreatedDatabase, createDatabase } from './postgres.ts'
import { borrowPglite, givePgliteBack, type SharedPglite } from './shared-pglite.ts'

/** A migrated database for one describe block; its members can be used in hooks and tests, not while collecting. */
export interface TestDatabase {
  readonly db: Db
}

export interface PostgresTestDatabase extends TestDatabase {
  readonly url: string
  /** Opens another Db on the same database, like another process. It is closed after the block. */
  openAnother(): Db
}

/** Runs the block on the embedded database and on PostgreSQL, both freshly migrated. */
export const eachDatabase = (name: string, block: (database: TestDatabase) => void): void => {
  onPglite(name, block)
  onPostgres(name, block)
}

export const onPglite = (name: string, block: (database: TestDatabase) => void): void => {
  describe(`${name} on PGlite`, () => {
    let engine: SharedPglite | undefined
    beforeAll(async () => {
      engine = await borrowPglite()
    })
    afterAll(async () => {
      if (engine !== undefined) await givePgliteBack(engine)
    })
    block({
      get db() {
        return present(engine).db
      },
    })
  })
}

/** Runs the block on PostgreSQL only: races, locks and other processes need several connections. */
export const onPostgres = (name: string, block: (database: PostgresTestDatabase) => void): void => {
  describe(`${name} on PostgreSQL`, () => {
    let created: CreatedDatabase | undefined
    let opened: Db | undefined
    const others: Db[] = []
    beforeAll(async () => {
      const { postgresUrl, template } = inject('databases')
      created = await createDatabase(postgresUrl, template)
      opened = createPgDb({ url: created.url })
    })
    afterAll(async () => {
      await Promise.all([opened, ...others].map((db) => db?.close()))
      await created?.drop()
    })
    block({
      get db() {
        return present(opened)
      },
      get url() {
        return present(created).url
      },
      openAnother: () => {
        const db = createPgDb({ url: present(created).url })
        others.push(db)
        return db
      },
    })
  })
}

const present = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the test database is available in hooks and tests only')
  return value
}
