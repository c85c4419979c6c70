import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { createPgliteDb } from '../../src/store/drivers/pglite.ts'
import { migrate } from '../../src/store/migrate.ts'
import { createDatabase, startPostgres } from './databases/postgres.ts'

/** What tests need to create their own migrated database quickly. */
export interface TestDatabases {
  readonly postgresUrl: string
  /** The name of a migrated database to copy. */
  readonly template: string
  /** A file with the data directory of a migrated embedded database. */
  readonly pgliteDump: string
}

declare module 'vitest' {
  interface ProvidedContext {
    databases: TestDatabases
  }
}

/** Starts the PostgreSQL server of a test run, and prepares the migrated databases that test files copy. */
const setUp = async (project: TestProject): Promise<() => Promise<void>> => {
  const postgres = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'gateway-test-'))
  const tearDown = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true })
    await postgres.stop()
  }
  try {
    const pgliteDump = join(folder, 'pglite.tar')
    // Not concurrently: dumping the embedded database blocks this process for longer than the connect timeout.
    const template = await migrateTemplate(postgres.url)
    await dumpMigratedPglite(join(folder, 'embedded'), pgliteDump)
    project.provide('databases', { postgresUrl: postgres.url, template, pgliteDump })
    return tearDown
  } catch (error) {
    await tearDown()
    throw error
  }
}

const migrateTemplate = async (serverUrl: string): Promise<string> => {
  const { url } = await createDatabase(serverUrl)
  const db = createPgDb({ url, poolSize: 1 })
  await migrate(db)
  await db.close()
  return new URL(url).pathname.slice(1)
}

const dumpMigratedPglite = async (folder: string, file: string): Promise<void> => {
  const db = await createPgliteDb({ folder })
  await migrate(db)
  await db.close()
  const pglite = await PGlite.create({ dataDir: join(folder, 'pglite') })
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  await writeFile(file, Buffer.from(await dump.arrayBuffer()))
}

export default setUp
