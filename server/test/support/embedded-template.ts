import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

const require = createRequire(import.meta.url)
const { version }: { version: string } = require(
  join(dirname(require.resolve('@electric-sql/pglite')), '../package.json'),
)
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/embedded-database')
const TEMPLATE = join(CACHE, version)

/**
 * Puts an empty embedded database into the data folder of a gateway that will be started on it, unless it has one. Making one takes
 * seconds of processor time, copying one a tenth of that.
 */
export const placeEmptyDatabase = async (dataFolder: string): Promise<void> => {
  const place = join(dataFolder, 'pglite')
  if (existsSync(place)) return
  if (!existsSync(TEMPLATE)) await makeTemplate()
  await cp(TEMPLATE, place, { recursive: true })
}

const makeTemplate = async (): Promise<void> => {
  await mkdir(CACHE, { recursive: true })
  const draft = await mkdtemp(join(CACHE, 'draft-'))
  const database = await PGlite.create({ dataDir: draft })
  await database.close()
  // Another process may have been faster.
  await rename(draft, TEMPLATE).catch(() => rm(draft, { recursive: true }))
}
