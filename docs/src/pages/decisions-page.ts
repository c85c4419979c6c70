import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadRules, type Rule } from '../../../openapi/src/rules.ts'
import { DOCS } from '../folders.ts'
import { page, prose } from '../markdown.ts'
import { ruleLink } from '../rule-link.ts'

/** The text of the decisions, with front matter and a link to the page of their numbers. */
export const decisionsPage = (): string =>
  [
    '---\ntitle: Decisions\ndescription: Choices of this implementation, and their reasons.\noutline: 2\n---',
    readFileSync(join(DOCS, 'decisions.md'), 'utf8').trim(),
    'Rules cite decisions by number: [Decisions by number](/decisions-by-number).',
  ].join('\n\n')

/** Every number (`D-12`) with the rules that it decides. */
export const decisionsByNumberPage = (): string => {
  const decided = Map.groupBy(
    loadRules().filter(({ source }) => source === 'decision'),
    ({ where }) => where,
  )
  const sections = [...decided].sort(([a], [b]) => a.localeCompare(b)).map(section)
  return page(
    {
      title: 'Decisions by number',
      description: 'Which rules come from which decision.',
      outline: '2',
      pageClass: 'dense',
    },
    [
      'Where [the protocol](/protocol/) leaves something open, a numbered decision of this gateway settles it. This page lists the rules that follow from each decision.',
      ...sections,
    ],
  )
}

const section = ([number, rules]: [string, readonly Rule[]]): string =>
  [
    `## ${number} {#${number.toLowerCase()}}`,
    rules.map(({ id, title }) => `[${id}](${ruleLink(id)}) ${prose(title)}`).join(' · '),
  ].join('\n\n')
