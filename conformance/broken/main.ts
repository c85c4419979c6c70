/** Runs the suite against programs with one fault each: `npm run mutants`. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createDatabase, startPostgres } from '../../server/test/support/databases/postgres.ts'
import type { Target } from '../src/kit/check.ts'
import type { MutantVerdict } from './examine-mutant.ts'
import { createExaminers } from './examiners.ts'
import { type Mutant, type MutantRow, rulesOf } from './mutant.ts'
import { MUTANTS } from './mutants.ts'
import { renderScore } from './score.ts'

const USAGE = `Usage: npm run mutants -- [options]

Starts the mutants of the reference gateway, of the SDK behind its adapter, of the receiver kit and of the SDK's worker.
Runs the checks of the rules that a mutant violates, in the profile of these rules, and prints which of them fail, and
the score by rule and profile. Fails unless each mutant is caught by a check of each of its rules.

  --target <target>  server, client, receiver or worker; repeatable. Default: all
  --name <text>      only mutants whose name contains it
  --rule <rule>      only mutants of this rule
  --quick <n>        only every nth mutant
  --parallel <n>     mutants at once. Default 2
  --write            writes the rows of these mutants to conformance/broken/table.json, where the documentation reads them
  --help             prints this text
`

const TABLE = fileURLToPath(new URL('./table.json', import.meta.url))

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: ['server', 'client', 'receiver', 'worker'] },
    name: { type: 'string', default: '' },
    rule: { type: 'string' },
    quick: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '2' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

const postgres = values.target.includes('server') ? await startPostgres() : null
const examiners = createExaminers(async () => {
  if (postgres === null) throw new Error('the server target needs a database')
  return createDatabase(postgres.url)
})
const all = (Object.entries(MUTANTS) as [Target, readonly Mutant[]][]).flatMap(([target, own]) =>
  own.map((mutant) => ({ target, mutant })),
)
const queue = all
  .filter(({ target }) => values.target.includes(target))
  .filter(({ mutant: { name } }) => name.includes(values.name))
  .filter(({ mutant }) => values.rule === undefined || rulesOf(mutant).includes(values.rule))
  .filter((_, at) => at % Number(values.quick) === 0)
if (queue.length === 0) {
  console.error('No mutant is selected.')
  await postgres?.stop()
  process.exit(2)
}

// Finish the running mutants, but start no further ones.
let isInterrupted = false
process.on('SIGINT', interrupt).on('SIGTERM', interrupt)

const startedAt = performance.now()
const rows: MutantRow[] = []
const examined: (Mutant & MutantVerdict)[] = []
const missed: string[] = []
let next = 0
const work = async (): Promise<void> => {
  for (let one = queue[next++]; one !== undefined && !isInterrupted; one = queue[next++]) {
    const { target, mutant } = one
    const verdict = await examiners[target](mutant)
    const { name, rule, also, fault } = mutant
    rows.push({ target, name, rule, ...(also === undefined ? {} : { also }), fault, caughtBy: verdict.caughtBy })
    examined.push({ ...mutant, ...verdict })
    if (verdict.unseen.length > 0) missed.push(`${target}/${name} (${verdict.unseen.join(', ')})`)
    console.log(`${`${rows.length}/${queue.length}`.padEnd(8)} ${describe(target, mutant, verdict)}`)
  }
}
await Promise.all(Array.from({ length: Number(values.parallel) }, work))
await postgres?.stop()
if (isInterrupted) process.exit(130)

if (values.write) {
  // A partial run replaces only its own rows; removed mutants lose their rows.
  const known: readonly MutantRow[] = JSON.parse(await readFile(TABLE, 'utf8'))
  const table = all.flatMap(({ target, mutant: { name } }) => {
    const isIts = (row: MutantRow): boolean => row.target === target && row.name === name
    return rows.find(isIts) ?? known.find(isIts) ?? []
  })
  await writeFile(TABLE, `[\n${table.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`)
}
console.log(renderScore(examined))
console.log(
  `${rows.length - missed.length} of ${rows.length} mutants caught in ${Math.round((performance.now() - startedAt) / 1000)} s`,
)
for (const name of missed) console.log(`NOT CAUGHT: ${name}`)
process.exit(missed.length === 0 ? 0 : 1)

function interrupt(): void {
  console.error('Ending after the running mutants.')
  isInterrupted = true
}

function describe(target: Target, mutant: Mutant, { caughtBy, missedBy, unseen, trouble }: MutantVerdict): string {
  const head = `${target} ${mutant.name} ${rulesOf(mutant).join(' ')}`
  if (trouble !== null) return `NO VERDICT ${head}: ${trouble}`
  if (unseen.length > 0)
    return `NOT CAUGHT ${head}: no check of ${unseen.join(', ')} failed; passed: ${missedBy.join(', ') || 'none was testable'}`
  return `caught     ${head}: ${caughtBy.join(', ')}`
}
