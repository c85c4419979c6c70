import type { SuiteReport } from './suite-report.ts'
import { describePacing, describeVerdict, toneOf } from './verdict.ts'

/** Maximum number of listed failures of one cause. The other formats list all. */
const NAMED = 10

/** A summary for the page of a CI run: verdict, causes and untestable checks. */
export function renderMarkdown(report: SuiteReport): string {
  const { subject, judgement, causes, checks, staleBaseline } = report
  const untestable = Map.groupBy(
    checks.filter(({ status }) => status === 'untestable'),
    ({ message }) => message ?? '',
  )
  const undecided = checks.filter(({ status }) => status === 'undecided')
  const sections = [
    `## ${SIGNS[toneOf(judgement)]} Conversation Gateway conformance`,
    `${code(subject)}: **${describeVerdict(report)}** in ${(report.durationMs / 1000).toFixed(0)} s`,
    describePacing(report) ?? '',
    table(
      ['Checks', 'fail because', 'such as'],
      causes.map(({ cause, checks: ids }) => [
        String(ids.length),
        escapeMarkdown(cause),
        [...ids.slice(0, NAMED).map(code), ...(ids.length > NAMED ? ['…'] : [])].join(', '),
      ]),
    ),
    table(
      ['No verdict on', 'because'],
      undecided.map(({ id, message }) => [code(id), escapeMarkdown(message ?? '')]),
    ),
    table(
      ['Checks', 'not testable here, because'],
      [...untestable].map(([reason, some]) => [String(some.length), escapeMarkdown(reason)]),
    ),
    table(
      ['Stale in the baseline', 'because'],
      staleBaseline.map(({ check, why }) => [code(check), escapeMarkdown(why)]),
    ),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

const SIGNS = { good: '✅', bad: '❌', open: '⚠️' } as const

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? '' : [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``

/** Escapes text from a system under test, so that it is not interpreted as Markdown. */
const escapeMarkdown = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>|#]/g, (character) => `\\${character}`)
