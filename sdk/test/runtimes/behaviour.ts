import type { BehaviourCase } from './cases/behaviour-case.ts'
import { callCases } from './cases/calls.ts'
import { signatureCases } from './cases/signatures.ts'
import { streamCases } from './cases/streams.ts'
import { workerCases } from './cases/workers.ts'
import { writeCases } from './cases/writes.ts'
import { createContext, type Fixture } from './context.ts'
import { createControls } from './controls.ts'

/** The result of one case; `error` is null if it passed. */
export interface CaseResult {
  readonly name: string
  readonly error: string | null
}

const CASE_DEADLINE_MS = 30_000

export const CASES: readonly BehaviourCase[] = [
  ...callCases,
  ...writeCases,
  ...streamCases,
  ...signatureCases,
  ...workerCases,
]

/** Removes the faults of earlier cases, and runs one case. Rejects when it fails or hangs. */
export const runCase = async ({ name, run }: BehaviourCase, fixture: Fixture): Promise<void> => {
  const controls = createControls(fixture.controlUrl)
  await controls.clearFaults()
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name}: not done after ${CASE_DEADLINE_MS} ms`)), CASE_DEADLINE_MS)
  })
  await Promise.race([run(createContext(fixture, controls)), deadline]).finally(() => clearTimeout(timer))
}

/**
 * Runs all cases, one after the other, and reports each result to the harness, and then the end.
 * @public Called by the programs that `runtimes.ts` writes.
 */
export const runAll = async (fixture: Fixture): Promise<void> => {
  const report = (name: string, body: unknown): Promise<unknown> =>
    fetch(`${fixture.controlUrl}/${name}`, { method: 'POST', body: JSON.stringify(body) })
  for (const each of CASES) {
    const error = await runCase(each, fixture).then(
      () => null,
      (reason: unknown) => describe(reason),
    )
    const result: CaseResult = { name: each.name, error }
    await report('result', result)
  }
  await report('done', {})
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? String(error)) : String(error))
