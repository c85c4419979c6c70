import { cpSync, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { createPgliteDb } from './drivers/pglite.ts'
import { fingerprintMigrations, migrate } from './migrate.ts'

/** Beside what the package manager installed, since it goes with it and can be made again. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/embedded-database', import.meta.url))
const ENGINE_PACKAGE = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
/** Prepared databases of other versions, and what a process that was killed had begun, go at this age. */
const KEPT_MS = 24 * 3_600_000

/**
 * Puts a database with the schema of this version, and nothing else in it, into a place where there is none. To make one
 * takes seconds of computing time, so it is made once for a version of the engine and of the migrations, and copied. Where
 * that cannot be, nothing is put there and the log says why. It is there whole or not at all, whenever the process dies.
 * @param cache where prepared databases are kept.
 */
export const placePreparedDatabase = async (
  place: string,
  log: Pick<Logger, 'info'>,
  cache: string = CACHE,
): Promise<void> => {
  const draft = `${place}-draft`
  try {
    await rm(draft, { recursive: true, force: true })
    cpSync(await prepareOnce(cache), draft, { recursive: true })
    await rename(draft, place)
  } catch (error) {
    log.info({ err: error }, 'no prepared database could be copied: the engine makes a new one')
    await rm(draft, { recursive: true, force: true })
  }
}

/** The folder of the prepared database, which is made when this version has none yet. */
const prepareOnce = async (cache: string): Promise<string> => {
  const { version }: { version: string } = JSON.parse(await readFile(ENGINE_PACKAGE, 'utf8'))
  const prepared = join(cache, `${version}-${(await fingerprintMigrations()).slice(0, 16)}`)
  if (existsSync(prepared)) return prepared
  await mkdir(cache, { recursive: true })
  await removeOld(cache)
  const draft = await mkdtemp(join(cache, 'draft-'))
  try {
    const db = await createPgliteDb({ folder: draft })
    await migrate(db).finally(() => db.close())
    // Another process may have been faster.
    await rename(join(draft, 'pglite'), prepared).catch((error: unknown) => {
      if (!existsSync(prepared)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return prepared
}

const removeOld = async (cache: string): Promise<void> => {
  const before = Date.now() - KEPT_MS
  for (const name of await readdir(cache)) {
    const entry = join(cache, name)
    if ((await stat(entry)).mtimeMs < before) await rm(entry, { recursive: true, force: true })
  }
}
