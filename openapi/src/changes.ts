/**
 * Compares the bundled contracts with the baseline that is committed: `node openapi/src/changes.ts` prints what changed since, and fails
 * where a change breaks clients or receivers. `--accept` makes what there is now the baseline: at a release, or before the first
 * one where a break is meant.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isNode, type Node, toNode } from './changes/change.ts'
import { compareContracts } from './changes/compare-contracts.ts'
import { toJson } from './generate/source-text.ts'

const DOCUMENTS = ['gateway', 'admin', 'control']
/** What a baseline leaves out. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['description', 'summary', 'examples', 'example', 'tags'])

const read = async (url: URL): Promise<Node> => toNode(JSON.parse(await readFile(url, 'utf8')))
const { values } = parseArgs({ options: { accept: { type: 'boolean', default: false } } })
let broken = 0
for (const name of DOCUMENTS) {
  const baseline = new URL(`../baseline/${name}.json`, import.meta.url)
  const now = toNode(withoutWords(await read(new URL(`../generated/${name}.json`, import.meta.url))))
  if (values.accept) await writeFile(baseline, toJson(now))
  for (const { kind, at, what } of compareContracts(await read(baseline), now)) {
    if (kind === 'breaking') broken += 1
    console.log(`${kind === 'breaking' ? 'BREAKING' : kind}: ${name}: ${at}: ${what}`)
  }
}
if (broken > 0)
  console.log(
    `${broken} breaking changes since openapi/baseline. Before a release: node openapi/src/changes.ts --accept`,
  )
process.exitCode = broken > 0 ? 1 : 0

/** The same without texts and examples. A member of an object may have the name of a keyword. */
function withoutWords(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutWords(item))
  if (!isNode(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isMap || !FOR_PEOPLE.has(name))
      .map(([name, member]) => [name, withoutWords(member, !isMap && (name === 'properties' || name === 'schemas'))]),
  )
}
