import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vitepress'
import { buildConsole } from '../../server/console/build.ts'
import { holdBuildLock } from './build-lock.ts'
import { checkLinks } from './check-links.ts'
import { CACHE, DIST, DOCS, UNFINISHED } from './folders.ts'
import { generate } from './generate.ts'
import { isCurrent, readInputsHash, STAMP } from './stamp.ts'

const HELP = `node docs/src/build.ts [--if-stale]

Builds the operator's console into server/console/dist and the documentation into docs/dist: generates the references,
builds the site, checks every link of it, and only then puts it in the place of the one before. With --if-stale nothing
is done while both are those of their sources.
`

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { help: { type: 'boolean' }, 'if-stale': { type: 'boolean' } } })
  if (values.help === true) {
    process.stdout.write(HELP)
    return
  }
  const isWanted = async (): Promise<boolean> => values['if-stale'] !== true || !(await isCurrent())
  if (!(await isWanted())) return
  // Whoever waited for another build may find its own done.
  await holdBuildLock(async () => {
    if (await isWanted()) await buildSite()
  })
}

const buildSite = async (): Promise<void> => {
  const hash = await readInputsHash()
  // Tools write large inputs to temporary files, and whatever ends the build in the middle would leave those.
  await rm(UNFINISHED.temporary, { recursive: true, force: true })
  await mkdir(UNFINISHED.temporary)
  process.env.TMPDIR = UNFINISHED.temporary
  // It takes a second; whoever waits for it need not wait for the documentation.
  await buildConsole()
  await generate()
  const draft = UNFINISHED.site
  await rm(draft, { recursive: true, force: true })
  await build(DOCS, { outDir: draft })
  const broken = await checkLinks(draft)
  if (broken.length > 0)
    throw new Error(`${broken.length} links lead nowhere:\n${broken.map((each) => `  ${each}`).join('\n')}`)
  await writeFile(join(draft, STAMP), hash)
  const old = join(CACHE, 'old')
  await rm(old, { recursive: true, force: true })
  await rename(DIST, old).catch(() => {})
  await rename(draft, DIST)
  for (const left of [old, UNFINISHED.temporary]) await rm(left, { recursive: true, force: true })
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
