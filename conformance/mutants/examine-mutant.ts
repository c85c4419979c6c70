import type { Check } from '../src/check.ts'
import { runChecks } from '../src/runner/run-checks.ts'
import type { Scheduled } from '../src/runner/schedule.ts'
import type { System } from '../src/system.ts'
import type { Mutant } from './mutant.ts'

/** What the suite made of a mutant. */
export interface MutantVerdict {
  /** IDs of checks of the mutant's own rule that failed. */
  readonly caughtBy: readonly string[]
  /** IDs of checks of its own rule that passed: they do not see this fault. */
  readonly missedBy: readonly string[]
  /** Why there is no verdict: the mutant did not start, or no check cites its rule. */
  readonly trouble: string | null
}

type AnyCheck<Context> = Check<Context> & Scheduled

/** Runs the checks that cite the mutant's rule against the mutant. */
export async function examineMutant<Context>(
  mutant: Mutant,
  checks: readonly AnyCheck<Context>[],
  start: () => Promise<System<Context>>,
): Promise<MutantVerdict> {
  const own = checks.filter(({ rules }) => rules.includes(mutant.rule))
  if (own.length === 0) return { caughtBy: [], missedBy: [], trouble: `no check cites ${mutant.rule}` }
  let system: System<Context>
  try {
    system = await start()
  } catch (error) {
    return {
      caughtBy: [],
      missedBy: [],
      trouble: `it did not start: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
  try {
    const runs = await runChecks(own, system)
    const idsOf = (kind: string): string[] => runs.filter(({ outcome }) => outcome.kind === kind).map(({ id }) => id)
    return { caughtBy: idsOf('failed'), missedBy: idsOf('passed'), trouble: null }
  } finally {
    await system.stop()
  }
}
