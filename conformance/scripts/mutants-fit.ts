/**
 * Fails unless every mutant still fits the source that it patches, and `broken/table.json` has its current rules and
 * fault, and names only mutants and checks that exist: `node conformance/scripts/mutants-fit.ts`.
 */
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { MutantRow } from '../broken/mutant.ts'
import { MUTANTS } from '../broken/mutants.ts'
import { patchText } from '../broken/patch-text.ts'
import { listAllChecks } from '../src/checks/list-all-checks.ts'
import { messageOf } from '../src/kit/message-of.ts'

const mutants = Object.entries(MUTANTS).flatMap(([target, own]) => own.map((mutant) => ({ target, ...mutant })))
const table: readonly MutantRow[] = JSON.parse(await readFile(new URL('../broken/table.json', import.meta.url), 'utf8'))
const checkIds = new Set((await listAllChecks()).map(({ id }) => id))

const faults: string[] = []
for (const mutant of mutants) {
  const { target, name, rule, also, fault, file } = mutant
  try {
    patchText(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8'), mutant)
  } catch (error) {
    faults.push(messageOf(error))
  }
  const row = table.find((one) => one.target === target && one.name === name)
  if (!isDeepStrictEqual([row?.rule, row?.also, row?.fault], [rule, also, fault]))
    faults.push(`table.json has no current row of ${target}/${name}: npm run mutants -- --name ${name} --write`)
}
for (const { target, name, caughtBy } of table) {
  if (!mutants.some((mutant) => mutant.target === target && mutant.name === name))
    faults.push(`table.json: ${target}/${name} is not a mutant`)
  for (const id of caughtBy)
    if (!checkIds.has(id)) faults.push(`table.json: ${target}/${name} is caught by ${id}, which is not a check`)
}
for (const fault of faults) console.log(fault)
console.log(`${mutants.length} mutants, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
