import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadRules, type Rule } from '../../openapi/src/rules.ts'
import { DOCS } from './folders.ts'
import { prose } from './markdown.ts'
import { ruleLink } from './rule-link.ts'

/** The decisions as they are written, and every number (`D-12`) with the rules that it decides. */
export const decisionsPage = (): string => {
  const written = readFileSync(join(DOCS, 'decisions.md'), 'utf8')
  const decided = Map.groupBy(
    loadRules().filter(({ source }) => source === 'decision'),
    ({ where }) => where,
  )
  const sections = [...decided].sort(([a], [b]) => a.localeCompare(b)).map(section)
  return [
    '---\ntitle: Decisions\ndescription: Choices of this implementation, and the numbered decisions behind its rules.\noutline: 2\n---',
    written.trim(),
    '## By number',
    'Where the specification is silent, a decision with a number speaks. What each demands, rule by rule:',
    ...sections,
  ].join('\n\n')
}

const section = ([number, rules]: [string, readonly Rule[]]): string =>
  [
    `### ${number} {#${number.toLowerCase()}}`,
    rules.map(({ id, rule }) => `- [${id}](${ruleLink(id)}): ${prose(rule)}`).join('\n'),
  ].join('\n\n')
