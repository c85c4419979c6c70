import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findStale } from './find-stale.ts'
import { generateAll } from './generate/all.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Folders that contain only generated files: any other file there is stale. */
const FOLDERS = ['openapi/generated', 'sdk/src/generated']

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const wanted = await generateAll()
const stale = findStale(wanted, await readPresent())

if (values.check) {
  for (const file of stale) console.error(`stale: ${file}`)
  if (stale.length > 0) console.error('Run `npm run generate` and commit the result.')
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const file of stale) await replaceFile(file, wanted.get(file))
  console.log(`${wanted.size} generated files, ${stale.length} changed`)
}

async function readPresent(): Promise<Map<string, string>> {
  const present = new Map<string, string>()
  for (const folder of FOLDERS) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries.filter((candidate) => candidate.isFile())) {
      const path = join(entry.parentPath, entry.name)
      present.set(relative(ROOT, path).replaceAll('\\', '/'), await readFile(path, 'utf8'))
    }
  }
  return present
}

async function replaceFile(file: string, text: string | undefined): Promise<void> {
  const path = join(ROOT, file)
  if (text === undefined) return rm(path)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
