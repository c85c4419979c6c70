import { RULES } from '../src/kit/rules.ts'
import { type Mutant, rulesOf } from './mutant.ts'

/** The rules that an examined mutant violates, and those without a failed check. */
interface Examined extends Pick<Mutant, 'rule' | 'also'> {
  readonly unseen: readonly string[]
}

/** How many mutants are caught: a line for each rule, then one for each profile. */
export function renderScore(mutants: readonly Examined[]): string {
  const rows = mutants.flatMap((mutant) =>
    rulesOf(mutant).map((rule) => ({ rule, isCaught: !mutant.unseen.includes(rule) })),
  )
  const byRule = [...Map.groupBy(rows, ({ rule }) => rule)].toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  const byProfile = [...Map.groupBy(rows, ({ rule }) => RULES.get(rule)?.profile ?? 'unknown')]
  const count = (some: typeof rows): string => `${some.filter(({ isCaught }) => isCaught).length} of ${some.length}`
  const rules = (some: typeof rows): number => new Set(some.map(({ rule }) => rule)).size
  return [
    ...byRule.map(([rule, some]) => `${rule.padEnd(10)} ${count(some)}`),
    ...byProfile.map(([profile, some]) => `${profile}: ${count(some)} violations caught, of ${rules(some)} rules`),
  ].join('\n')
}
