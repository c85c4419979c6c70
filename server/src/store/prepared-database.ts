import { cpSync, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { createPgliteDb } from './drivers/pglite.ts'
import { fingerprintMigrations, migrate } from './migrate.ts'

/** In `node_modules`, since it belongs to the installed version and can be recreated. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/embedded-database', import.meta.url))
const ENGINE_PACKAGE = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
/** Age at which prepared databases of other versions, and incomplete ones of killed processes, are removed. */
const KEPT_MS = 24 * 3_600_000

/**
 * Creates a database with the schema of this version in an empty place. Creating one takes seconds of CPU time, so it
 * is created once per version of the engine and the migrations, and then copied. If that is not possible, nothing is
 * created and the log says why. The copy is atomic, even if the process dies.
 * @param cache the folder of prepared databases.
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

/** The folder of the prepared database for this version; created if needed. */
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
