import { RULES } from '../src/rules.ts'

/** What is counted of a mutant that was examined. */
interface Examined {
  readonly rule: string
  readonly caughtBy: readonly string[]
}

/** How many mutants are caught: a line for each rule, then one for each profile. */
export function renderScore(rows: readonly Examined[]): string {
  const byRule = [...Map.groupBy(rows, ({ rule }) => rule)].toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  const byProfile = [...Map.groupBy(rows, ({ rule }) => RULES.get(rule)?.profile ?? 'unknown')]
  const rulesOf = (some: readonly Examined[]): number => new Set(some.map(({ rule }) => rule)).size
  return [
    ...byRule.map(([rule, some]) => `${rule.padEnd(10)} ${countCaught(some)}`),
    ...byProfile.map(([profile, some]) => `${profile}: ${countCaught(some)} mutants caught, of ${rulesOf(some)} rules`),
  ].join('\n')
}

const countCaught = (rows: readonly Examined[]): string =>
  `${rows.filter(({ caughtBy }) => caughtBy.length > 0).length} of ${rows.length}`
