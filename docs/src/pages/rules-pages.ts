import { loadRuleList, type Rule, topicOf } from '../../../openapi/src/rules.ts'
import { joined, page, prose, table } from '../markdown.ts'
import type { Check, Mutant, Proofs } from '../proofs.ts'
import { topicLink, topicTitle } from '../rule-link.ts'
import { mutantsPage } from './mutants-page.ts'
import { protocolLink } from './protocol-pages.ts'

/** The catalogue of rules: an overview, a page for each topic with an anchor for each rule, and the mutants. */
export const rulesPages = (proofs: Proofs): Map<string, string> => {
  const { topics, rules } = loadRuleList()
  return new Map([
    ['rules/index.md', overview(topics, rules)],
    ['rules/mutants.md', mutantsPage(proofs.mutants)],
    ...Object.entries(topics).map(([topic, title]): [string, string] => [
      `rules/${topic.toLowerCase()}.md`,
      page({ title: topicTitle(title), description: `Rules ${topic}: ${title}`, outline: '2', pageClass: 'dense' }, [
        `${title.includes(':') ? `${prose(title)}. ` : ''}The [catalogue](/rules/) explains the marks.`,
        ...rules
          .filter(({ id }) => topicOf(id) === topic)
          .map((rule) =>
            ruleSection(
              rule,
              proofs.checks.filter((check) => check.rules.includes(rule.id)),
              proofs.mutants.filter((mutant) => mutant.rule === rule.id || mutant.also.includes(rule.id)),
              proofs.reasons.get(rule.id),
            ),
          ),
      ]),
    ]),
  ])
}

const overview = (topics: Readonly<Record<string, string>>, rules: readonly Rule[]): string =>
  page({ title: 'Rules', description: 'Every normative sentence, numbered.' }, [
    `${rules.length} numbered sentences say what a server, a client, a receiver of callbacks and a worker must do. Tests, checks and this site cite them by number. To read them in order, begin with [the protocol](/protocol/). The [table of mutants](/rules/mutants) shows how strong the checks are.`,
    [
      '- **Level**: MUST is binding; SHOULD allows exceptions for a good reason; MAY is optional.',
      '- **Profile**: `core` is [the protocol](/protocol/) and binds every implementation; `reference` comes from a [decision](/decisions) of this gateway.',
      '- **Target**: who is bound: the server, the client (or the sender of webhooks), the receiver of callbacks, or the worker.',
    ].join('\n'),
    table(
      ['Topic', 'What', 'Rules'],
      Object.entries(topics).map(([topic, title]) => [
        `[${topic}](${topicLink(topic)})`,
        prose(title),
        String(rules.filter(({ id }) => topicOf(id) === topic).length),
      ]),
    ),
  ])

const ruleSection = (
  { id, title, level, profile, target, where, rule }: Rule,
  checks: readonly Check[],
  mutants: readonly Mutant[],
  reason: string | undefined,
): string =>
  joined([
    `## ${id} ${prose(title)} {#${id.toLowerCase()}}`,
    `<p class="marks"><span class="mark ${level.toLowerCase()}">${level}</span> <span class="mark">${profile}</span> <span class="mark">${target}</span></p>`,
    prose(rule),
    `<div class="source">\n\n${source(where)}\n\n</div>`,
    proofPart(checks, mutants, reason),
  ])

const source = (where: string): string => `From ${protocolLink({ where }) ?? prose(where)}`

const proofPart = (checks: readonly Check[], mutants: readonly Mutant[], reason: string | undefined): string => {
  if (reason !== undefined) return `No check or test proves this rule. ${prose(reason)}`
  if (checks.length === 0)
    return 'The suite cannot check this rule from outside. The tests of this repository prove it.'
  const own = new Set(checks.map(({ id }) => id))
  const lines = [
    ...checks.map(({ id, title }) => `- Check \`${id}\`: ${prose(title)}`),
    ...mutants.map(
      ({ name, fault, caughtBy }) =>
        `- Broken on purpose, \`${name}\`: ${prose(fault)} Caught by ${caughtBy
          .filter((id) => own.has(id))
          .map((id) => `\`${id}\``)
          .join(', ')}.`,
    ),
  ]
  const counts = `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}, ${mutants.length} ${mutants.length === 1 ? 'mutant' : 'mutants'}`
  return `<details><summary>How it is checked: ${counts}</summary>\n\n${lines.join('\n')}\n\n</details>`
}
