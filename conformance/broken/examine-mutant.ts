import type { Check } from '../src/kit/check.ts'
import { messageOf } from '../src/kit/message-of.ts'
import { RULES, type Rule } from '../src/kit/rules.ts'
import type { System } from '../src/kit/system.ts'
import { runChecks } from '../src/run/run-checks.ts'
import type { Scheduled } from '../src/run/schedule.ts'
import { type Mutant, rulesOf } from './mutant.ts'

/** The suite's verdict on a mutant. */
export interface MutantVerdict {
  /** IDs of checks of the mutant's own rules that failed. */
  readonly caughtBy: readonly string[]
  /** IDs of checks of its own rules that passed, which means that they do not detect this fault. */
  readonly missedBy: readonly string[]
  /** Its own rules without a failed check. */
  readonly unseen: readonly string[]
  /** Why there is no verdict: the mutant did not start, or no check cites one of its rules. */
  readonly trouble: string | null
}

type AnyCheck<Context> = Check<Context> & Scheduled

/**
 * Runs the checks that cite the mutant's rules against the mutant, each in the profile of its rule: a violation of a
 * core rule has to be found without the rules of the profile `reference`. The mutant is started once for each profile.
 */
export async function examineMutant<Context>(
  mutant: Mutant,
  checks: readonly AnyCheck<Context>[],
  start: (profile: Rule['profile']) => Promise<System<Context>>,
): Promise<MutantVerdict> {
  const byProfile = Map.groupBy(rulesOf(mutant), (rule) => RULES.get(rule)?.profile ?? 'core')
  const verdicts: MutantVerdict[] = []
  for (const [profile, rules] of byProfile) verdicts.push(await examineFor(rules, checks, () => start(profile)))
  return {
    caughtBy: verdicts.flatMap(({ caughtBy }) => caughtBy),
    missedBy: verdicts.flatMap(({ missedBy }) => missedBy),
    unseen: verdicts.flatMap(({ unseen }) => unseen),
    trouble: verdicts.map(({ trouble }) => trouble).find((trouble) => trouble !== null) ?? null,
  }
}

async function examineFor<Context>(
  violated: readonly string[],
  checks: readonly AnyCheck<Context>[],
  start: () => Promise<System<Context>>,
): Promise<MutantVerdict> {
  const withoutVerdict = (trouble: string): MutantVerdict => ({ caughtBy: [], missedBy: [], unseen: violated, trouble })
  const unknown = violated.filter((rule) => !checks.some(({ rules }) => rules.includes(rule)))
  if (unknown.length > 0) return withoutVerdict(`no check cites ${unknown.join(', ')}`)
  const own = checks.filter(({ rules }) => rules.some((rule) => violated.includes(rule)))
  let system: System<Context>
  try {
    system = await start()
  } catch (error) {
    return withoutVerdict(`it did not start: ${messageOf(error)}`)
  }
  try {
    const runs = await runChecks(own, system)
    const idsOf = (kind: string): string[] => runs.filter(({ outcome }) => outcome.kind === kind).map(({ id }) => id)
    const caughtBy = idsOf('failed')
    const catching = own.filter(({ id }) => caughtBy.includes(id))
    const unseen = violated.filter((rule) => !catching.some(({ rules }) => rules.includes(rule)))
    return { caughtBy, missedBy: idsOf('passed'), unseen, trouble: null }
  } finally {
    await system.stop()
  }
}
