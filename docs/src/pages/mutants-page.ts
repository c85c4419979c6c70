import { loadRuleList, topicOf } from '../../../openapi/src/rules.ts'
import { page, prose, table } from '../markdown.ts'
import type { Mutant } from '../proofs.ts'
import { topicLink, topicTitle } from '../rule-link.ts'

/** The number of mutants for each topic. The pages of the rules list the mutants and the checks that caught them. */
export const mutantsPage = (mutants: readonly Mutant[]): string =>
  page({ title: 'Mutants', description: 'Programs with one fault each, and the checks that detect the faults.' }, [
    `How strong are the checks? They run against ${mutants.length} programs with one deliberate fault each, which breaks a rule, or several similar rules. A mutant counts as caught only if a check of each of those rules detects it. \`npm run mutants\` runs all of them and fails unless each is caught. Each rule lists its mutants and the checks that caught them.`,
    table(
      ['Topic', 'What', 'Gateways', 'Clients', 'Receivers', 'Workers'],
      Object.entries(loadRuleList().topics)
        .map(([topic, title]) => ({ topic, title, own: mutants.filter(({ rule }) => topicOf(rule) === topic) }))
        .filter(({ own }) => own.length > 0)
        .map(({ topic, title, own }) => [
          `[${topic}](${topicLink(topic)})`,
          prose(topicTitle(title)),
          ...['server', 'client', 'receiver', 'worker'].map((target) => countOf(own, target)),
        ]),
    ),
  ])

const countOf = (mutants: readonly Mutant[], target: string): string => {
  const count = mutants.filter((mutant) => mutant.target === target).length
  return count === 0 ? '' : String(count)
}
