/**
 * Fails unless every mutant still fits the source that it patches, and its row of `broken/table.json` has its current
 * rule and fault and names only checks that exist: `node conformance/scripts/mutants-fit.ts`.
 */
import { readFile } from 'node:fs/promises'
import { clientMutants } from '../broken/client/index.ts'
import type { Mutant } from '../broken/mutant.ts'
import { patchText } from '../broken/patch-text.ts'
import { receiverMutants } from '../broken/receiver/index.ts'
import { serverMutants } from '../broken/server/index.ts'
import { workerMutants } from '../broken/worker/index.ts'
import { listAllChecks } from '../src/checks/list-all-checks.ts'

interface Row extends Pick<Mutant, 'name' | 'rule' | 'fault'> {
  readonly target: string
  readonly caughtBy: readonly string[]
}

const mutants: Readonly<Record<string, readonly Mutant[]>> = {
  server: serverMutants,
  client: clientMutants,
  receiver: receiverMutants,
  worker: workerMutants,
}
const table: readonly Row[] = JSON.parse(await readFile(new URL('../broken/table.json', import.meta.url), 'utf8'))
const checkIds = new Set((await listAllChecks()).map(({ id }) => id))

const faults: string[] = []
for (const [target, own] of Object.entries(mutants))
  for (const mutant of own) {
    try {
      patchText(await readFile(new URL(`../../${mutant.file}`, import.meta.url), 'utf8'), mutant)
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error))
    }
    const row = table.find((one) => one.target === target && one.name === mutant.name)
    if (row?.rule !== mutant.rule || row.fault !== mutant.fault)
      faults.push(`table.json has no current row of ${target}/${mutant.name}: run it with npm run mutants -- --write`)
  }
for (const { target, name, caughtBy } of table)
  for (const id of caughtBy.filter((one) => !checkIds.has(one)))
    faults.push(`table.json: ${target}/${name} is caught by ${id}, which is not a check`)
for (const fault of faults) console.log(fault)
console.log(`${Object.values(mutants).flat().length} mutants, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
