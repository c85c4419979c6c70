import { RULES } from '../rules.ts'
import type { CheckReport, SuiteReport } from './suite-report.ts'
import { STATUSES } from './suite-report.ts'
import { describeVerdict } from './verdict.ts'

const HEADINGS: Readonly<Record<Exclude<CheckReport['status'], 'passed'>, string>> = {
  failed: 'FAILED',
  known: 'known',
  warning: 'warning',
  info: 'remark',
  untestable: 'not testable here',
}

/** The summary for a terminal: what did not pass, worst last before the table and the verdict. */
export function renderSummary(report: SuiteReport): string {
  const findings = STATUSES.toReversed().flatMap((status) =>
    status === 'passed' || status === 'untestable' ? [] : report.checks.filter((check) => check.status === status),
  )
  const blocks = [
    describeUntestable(report),
    ...findings.map(describeFinding),
    ...report.staleBaseline.map(({ check, why }) => `stale in the baseline: ${check}: ${why}; remove the entry`),
    describeCoverage(report),
    `${describeVerdict(report)} (${(report.durationMs / 1000).toFixed(1)} s)`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** Everything about one check: rules, verdict and what went over the wire. */
export function renderExplanation(check: CheckReport): string {
  const entries = check.transcript.map(
    ({ elapsedMs, direction, text }) =>
      `${{ out: '>>>', in: '<<<', note: '---' }[direction]} ${elapsedMs} ms\n${text.trimEnd()}`,
  )
  return `${[describeFinding(check), ...entries].join('\n\n')}\n`
}

function describeFinding(check: CheckReport): string {
  const heading = check.status === 'passed' ? 'passed' : HEADINGS[check.status]
  const rules = check.rules.map((id) => `  ${id} ${check.level}: ${RULES.get(id)?.rule ?? ''}`)
  const message = check.message === null ? [] : [check.message.replaceAll(/^/gm, '    ')]
  const known = check.knownReason === null ? [] : [`    known: ${check.knownReason}`]
  return [`${heading}: ${check.id}`, `  ${check.title}`, ...rules, ...message, ...known].join('\n')
}

function describeUntestable({ checks }: SuiteReport): string {
  const byReason = Map.groupBy(
    checks.filter(({ status }) => status === 'untestable'),
    ({ message }) => message ?? '',
  )
  return [...byReason]
    .map(([reason, some]) => `not testable here, ${reason}:\n${some.map(({ id }) => `  ${id}`).join('\n')}`)
    .join('\n')
}

function describeCoverage({ coverage }: SuiteReport): string {
  const head = ['', 'rules', 'passed', 'broken', 'not testable', 'not examined']
  const rows = coverage.map(({ title, rules, passed, broken, untestable, unexamined }) =>
    [title, rules, passed, broken, untestable, unexamined].map(String),
  )
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')
  return [head, ...rows].map(line).join('\n')
}
