/** Fails unless every mutant still fits the source that it patches: `node conformance/scripts/mutants-fit.ts`. */
import { readFile } from 'node:fs/promises'
import { clientMutants } from '../broken/client/index.ts'
import { patchText } from '../broken/patch-text.ts'
import { receiverMutants } from '../broken/receiver/index.ts'
import { serverMutants } from '../broken/server/index.ts'
import { workerMutants } from '../broken/worker/index.ts'

const mutants = [...serverMutants, ...clientMutants, ...receiverMutants, ...workerMutants]
let misfits = 0
for (const mutant of mutants)
  try {
    patchText(await readFile(new URL(`../../${mutant.file}`, import.meta.url), 'utf8'), mutant)
  } catch (error) {
    misfits += 1
    console.log(error instanceof Error ? error.message : error)
  }
console.log(`${mutants.length} mutants, ${misfits} do not fit`)
process.exitCode = misfits === 0 ? 0 : 1
