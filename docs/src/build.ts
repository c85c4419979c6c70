import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vitepress'
import { buildConsole } from '../../server/console/build.ts'
import { holdBuildLock } from './build-lock.ts'
import { checkLinks } from './check-links.ts'
import { BRIEF, CACHE, DIST, DOCS, EDITED_AT, UNFINISHED } from './folders.ts'
import { generate } from './generate.ts'
import { addContracts, addExamples, addMarkdown, compressSite } from './site-files.ts'
import { isCurrent, readInputsHash, STAMP } from './stamp.ts'

const HELP = `node docs/src/build.ts [--if-stale] [--base /docs/ --out <folder> [--brief]] [--edit <url>]

Builds the operator's console into server/console/dist and the documentation into docs/dist: generates the references,
builds the site, checks all its links, and replaces the previous site if all links are valid. With --if-stale it builds
only if a source has changed since the last build.
--out writes the site to another folder, for your own server. --base is the path under which that server serves the site.
--edit is the URL at which the files of the repository are edited; handwritten pages then link to it. --brief leaves out
the pages of single objects of the contracts and of single types of the client. Links to these pages are then broken, and
the build takes a third of the time.
`

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      'if-stale': { type: 'boolean' },
      base: { type: 'string', default: SERVED_AT },
      out: { type: 'string' },
      edit: { type: 'string' },
      brief: { type: 'boolean', default: false },
    },
  })
  if (values.help === true) {
    process.stdout.write(HELP)
    return
  }
  const { base, out = DIST } = values
  if (!/^\/([\w.-]+\/)*$/.test(base)) throw new Error(`--base is a path such as /docs/, not ${base}`)
  if (base !== SERVED_AT && values.out === undefined)
    throw new Error(`The gateway serves the site under ${SERVED_AT}: name a folder with --out for another --base.`)
  const isBrief = values.brief
  if (isBrief && values.out === undefined)
    throw new Error('The gateway serves only complete sites: name another folder with --out for --brief.')
  const isWanted = async (): Promise<boolean> => values['if-stale'] !== true || !(await isCurrent())
  if (!(await isWanted())) return
  // The build that held the lock may have built the current sources.
  await holdBuildLock(async () => {
    if (!(await isWanted())) return
    // The configuration of the site reads these variables.
    if (values.edit !== undefined) process.env[EDITED_AT] = values.edit.replace(/\/*$/, '/')
    if (isBrief) process.env[BRIEF] = '1'
    await buildSite(base, resolve(out), isBrief)
  })
}

/** Where the gateway serves the site. */
const SERVED_AT = '/docs/'

const buildSite = async (base: string, out: string, isBrief: boolean): Promise<void> => {
  const hash = await readInputsHash()
  // Tools write large inputs to temporary files, which an interrupted build would leave behind.
  await rm(UNFINISHED.temporary, { recursive: true, force: true })
  await mkdir(UNFINISHED.temporary)
  process.env.TMPDIR = UNFINISHED.temporary
  // Build the console first: it takes a second, and need not wait for the documentation.
  await buildConsole()
  await generate()
  const draft = UNFINISHED.site
  await rm(draft, { recursive: true, force: true })
  await build(DOCS, { outDir: draft, base })
  await addContracts(draft)
  await addExamples(draft)
  const broken = isBrief ? [] : await checkLinks(draft, base)
  if (broken.length > 0)
    throw new Error(`${broken.length} links are broken:\n${broken.map((each) => `  ${each}`).join('\n')}`)
  await addMarkdown(draft, base)
  await compressSite(draft)
  await writeFile(join(draft, STAMP), hash)
  const old = join(CACHE, 'old')
  await rm(old, { recursive: true, force: true })
  if (out === DIST) {
    await rename(DIST, old).catch(() => {})
    await rename(draft, DIST)
  } else {
    await cp(draft, out, { recursive: true })
    await rm(draft, { recursive: true, force: true })
  }
  for (const left of [old, UNFINISHED.temporary]) await rm(left, { recursive: true, force: true })
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
