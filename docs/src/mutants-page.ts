import { page, prose, table } from './markdown.ts'
import type { Mutant } from './proofs.ts'
import { ruleLink } from './rule-link.ts'

const TITLES: Readonly<Record<string, string>> = { server: 'Gateways', client: 'Clients', receiver: 'Receivers' }

/** Every program with one fault, and the checks of its own rule that caught it when the table was made. */
export const mutantsPage = (mutants: readonly Mutant[]): string =>
  page({ title: 'Mutants', description: 'Programs with one fault each, and the checks that find out.', outline: '2' }, [
    `How strong are the checks? They run against ${mutants.length} programs that are wrong on purpose, each in one place that breaks one rule. A mutant counts as caught only by a check of that rule. \`npm run mutants\` runs all of them and fails unless each is caught.`,
    ...Object.entries(TITLES).flatMap(([target, title]) => {
      const rows = mutants.filter((mutant) => mutant.target === target)
      return [
        `## ${title}`,
        table(
          ['Mutant', 'Fault', 'Rule', 'Caught by'],
          rows.map(({ name, fault, rule, caughtBy }) => [
            `\`${name}\``,
            prose(fault),
            `[${rule}](${ruleLink(rule)})`,
            caughtBy.map((id) => `\`${id}\``).join(' '),
          ]),
        ),
      ]
    }),
  ])
