import { loadRules, type Rule } from '../../../openapi/src/rules.ts'
import { page, prose } from '../markdown.ts'
import { ruleLink } from '../rule-link.ts'
import { PROTOCOL, type ProtocolPart, type ProtocolSection } from './protocol-parts.ts'

/** The protocol in reading order: an overview, and a page for each part with the rules of the core by section. */
export const protocolPages = (): Map<string, string> => {
  const core = loadRules().filter(({ profile }) => profile === 'core')
  return new Map([
    ['protocol/index.md', overview(core.length)],
    ...PROTOCOL.map((part): [string, string] => [`protocol/${part.name}.md`, partPage(part, core)]),
  ])
}

const overview = (rules: number): string =>
  page({ title: 'The protocol', description: 'What every gateway, client and receiver agrees on, in reading order.' }, [
    `The protocol is what every gateway, client and receiver of callbacks agrees on. These pages state it in ${rules} sentences. Each sentence is a numbered [rule](/rules/), and each rule states how it is checked.`,
    'The protocol leaves some behaviour open, such as the upload of files. [Decisions](/decisions) define it for this gateway, and rules that follow from decisions have the profile `reference`.',
    ...PROTOCOL.map(({ name, title, description, sections }) =>
      [
        `## [${title}](/protocol/${name}) {#${name}}`,
        description,
        sections.map((section) => `- [${section.title}](/protocol/${name}#${section.anchor})`).join('\n'),
      ].join('\n\n'),
    ),
  ])

const partPage = ({ title, description, sections }: ProtocolPart, core: readonly Rule[]): string =>
  page({ title, description, outline: '2' }, [
    `${description} Part of [the protocol](/protocol/).`,
    ...sections.map((section) => sectionText(section, core)),
  ])

const sectionText = (section: ProtocolSection, core: readonly Rule[]): string =>
  [
    `## ${section.title} {#${section.anchor}}`,
    section.introduction,
    core
      .filter(({ where }) => section.headings.includes(headingOf(where)))
      .map(({ id, level, rule }) => `- ${prose(rule)}${level === 'MUST' ? '' : ` (${level})`} [${id}](${ruleLink(id)})`)
      .join('\n'),
  ].join('\n\n')

/** The section that a rule of the core belongs to, as a link; undefined for the rule of a decision. */
export const protocolLink = ({ where }: Pick<Rule, 'where'>): string | undefined => {
  for (const { name, sections } of PROTOCOL)
    for (const { anchor, title, headings } of sections)
      if (headings.includes(headingOf(where))) return `[${title}](/protocol/${name}#${anchor})`
  return undefined
}

const headingOf = (where: string): string => where.replace(/, rule \d+$/, '')
