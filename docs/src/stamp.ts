import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CONSOLE_DIST, DIST, REPOSITORY } from './folders.ts'
import { listFiles } from './write-pages.ts'

/** The file in the built site that contains the hash of its sources. */
export const STAMP = '.built-from'

/** The sources of the site and the console: files, and folders with all their files. */
const INPUTS = [
  'docs/.vitepress',
  'docs/src',
  'docs/pictures',
  'docs/public',
  'docs/start',
  'docs/guides',
  'docs/index.md',
  'docs/decisions.md',
  'docs/capacity.json',
  'docs/tsconfig.typedoc.json',
  'examples',
  'CHANGELOG.md',
  'SECURITY.md',
  'pnpm-lock.yaml',
  'conformance/broken/table.json',
  'conformance/src/checks',
  'conformance/unproven-rules.yaml',
  'openapi/generated',
  'openapi/rules.yaml',
  'openapi/src',
  'sdk/package.json',
  'sdk/src',
  'server/package.json',
  'server/src/app/settings/config.ts',
  'server/src/app/settings/settings.ts',
  'server/src/app/settings/setting-values.ts',
  'server/console',
].map((path) => join(REPOSITORY, path))

/** Files that the build creates, or that are not part of a page. */
const NO_INPUT = /(^|\/)(\.temp|\.?cache|dist|node_modules|test)\/|\.test(-d)?\.ts$/

/** A hash of the contents of all sources. */
export const readInputsHash = async (): Promise<string> => {
  const hash = createHash('sha256').update(process.version)
  for (const input of INPUTS) for (const file of await filesOf(input)) hash.update(file).update(await readFile(file))
  return hash.digest('hex')
}

/** Whether the built site and the built console are up to date with their sources. */
export const isCurrent = async (): Promise<boolean> => {
  if (!existsSync(CONSOLE_DIST)) return false
  const built = await readFile(join(DIST, STAMP), 'utf8').catch(() => null)
  return built !== null && built === (await readInputsHash())
}

const filesOf = async (path: string): Promise<string[]> => {
  const entry = await stat(path).catch(() => null)
  if (entry === null) return []
  if (entry.isFile()) return [path]
  return (await listFiles(path)).filter((file) => !NO_INPUT.test(file)).map((file) => join(path, file))
}
