/**
 * Compares the bundled contracts with the committed baseline, `openapi/baseline.json`: `node openapi/src/changes.ts`
 * prints each change and fails if one breaks clients or receivers. `--accept` replaces the baseline. Use it at a
 * release, or before the first release if you intend a break.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isNode, type Node, toNode } from './changes/change.ts'
import { compareContracts } from './changes/compare-contracts.ts'

const DOCUMENTS = ['gateway', 'admin', 'worker', 'control']
/** Keywords for readers, which the baseline omits. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['description', 'summary', 'examples', 'example', 'tags'])

const { values } = parseArgs({ options: { accept: { type: 'boolean', default: false } } })
const BASELINE = new URL('../baseline.json', import.meta.url)
const read = async (url: URL): Promise<Node> => toNode(JSON.parse(await readFile(url, 'utf8')))
const generated = async (name: string): Promise<Node> =>
  toNode(withoutWords(await read(new URL(`../generated/${name}.json`, import.meta.url))))

const now = Object.fromEntries(await Promise.all(DOCUMENTS.map(async (name) => [name, await generated(name)] as const)))
if (values.accept) await writeFile(BASELINE, `${JSON.stringify(now)}\n`)
const before = await read(BASELINE)
let broken = 0
for (const [name, contract] of Object.entries(now))
  for (const { kind, at, what } of compareContracts(toNode(before[name]), contract)) {
    if (kind === 'breaking') broken += 1
    console.log(`${kind === 'breaking' ? 'BREAKING' : kind}: ${name}: ${at}: ${what}`)
  }
if (broken > 0)
  console.log(
    `${broken} breaking changes since openapi/baseline.json. If they are intended, accept them before the first release only: node openapi/src/changes.ts --accept`,
  )
process.exitCode = broken > 0 ? 1 : 0

/** A copy without texts and examples. Names under `properties` and `schemas` stay, even if they equal a keyword. */
function withoutWords(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutWords(item))
  if (!isNode(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isMap || !FOR_PEOPLE.has(name))
      .map(([name, member]) => [name, withoutWords(member, !isMap && (name === 'properties' || name === 'schemas'))]),
  )
}
