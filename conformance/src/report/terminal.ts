import { RULES } from '../kit/rules.ts'
import type { CauseGroup } from './causes.ts'
import { STATUSES } from './status.ts'
import type { CheckReport, SuiteReport } from './suite-report.ts'
import { describePacing, describeVerdict } from './verdict.ts'

const HEADINGS: Readonly<Record<CheckReport['status'], string>> = {
  passed: 'passed',
  failed: 'FAILED',
  undecided: 'NO VERDICT',
  known: 'known',
  unscored: 'FAILED, not counted yet',
  warning: 'warning',
  info: 'remark',
  'not-run': 'not run',
  untestable: 'not testable here',
}

/** Minimum number of failures with one cause for grouping them. */
const MIN_GROUP_SIZE = 3

/** The summary for a terminal: the checks that did not pass, worst last, then the table and the verdict. */
export function renderSummary(report: SuiteReport): string {
  return joinBlocks([
    ...describeFindings(report),
    ...report.staleBaseline.map(({ check, why }) => `stale in the baseline: ${check}: ${why}; remove the entry`),
    describeCoverage(report),
    describePacing(report) ?? '',
    `${describeVerdict(report)} (${(report.durationMs / 1000).toFixed(1)} s)`,
  ])
}

/** The checks that did not pass, worst last, without the verdict. Empty if all passed. */
export const renderFindings = (report: SuiteReport): string => joinBlocks(describeFindings(report))

const joinBlocks = (blocks: readonly string[]): string =>
  blocks
    .filter((block) => block !== '')
    .map((block) => `${block}\n`)
    .join('\n')

function describeFindings(report: SuiteReport): string[] {
  const groups = report.causes.filter(({ checks }) => checks.length >= MIN_GROUP_SIZE)
  const grouped = new Set(groups.flatMap(({ checks }) => checks))
  const findings = STATUSES.toReversed().flatMap((status) =>
    ['passed', 'untestable', 'not-run'].includes(status)
      ? []
      : report.checks.filter((check) => check.status === status && !grouped.has(check.id)),
  )
  return [
    describeByReason(report, 'untestable'),
    describeByReason(report, 'not-run'),
    ...findings.map(describeFinding),
    ...groups.toReversed().map((group) => describeGroup(group, report)),
  ]
}

/** Everything about one check: rules, verdict, requests and answers. */
export function renderExplanation(check: CheckReport): string {
  const entries = check.transcript.map(
    ({ elapsedMs, direction, text }) =>
      `${{ out: '>>>', in: '<<<', note: '---' }[direction]} ${elapsedMs} ms\n${text.trimEnd()}`,
  )
  return `${[describeFinding(check), ...entries].join('\n\n')}\n`
}

function describeFinding(check: CheckReport): string {
  const rules = check.rules.map((id) => `  ${id} ${check.level}: ${RULES.get(id)?.rule ?? ''}`)
  const message = check.message === null ? [] : [check.message.replaceAll(/^/gm, '    ')]
  const known = check.knownReason === null ? [] : [`    known: ${check.knownReason}`]
  return [`${HEADINGS[check.status]}: ${check.id}`, `  ${check.title}`, ...rules, ...message, ...known].join('\n')
}

function describeGroup({ cause, checks }: CauseGroup, report: SuiteReport): string {
  const example = report.checks.find(({ id }) => id === checks[0])
  const message = example?.message?.replaceAll(/^/gm, '    ') ?? ''
  return [
    `${HEADINGS.failed}: ${checks.length} checks, because: ${cause}`,
    `  for example ${example?.id}: ${example?.title}`,
    message,
    ...checks.map((id) => `  ${id}`),
  ].join('\n')
}

function describeByReason({ checks }: SuiteReport, status: 'untestable' | 'not-run'): string {
  const byReason = Map.groupBy(
    checks.filter((check) => check.status === status),
    ({ message }) => message ?? '',
  )
  return [...byReason]
    .map(([reason, some]) =>
      status === 'not-run'
        ? `${HEADINGS[status]}, ${reason}: ${some.length} checks`
        : `${HEADINGS[status]}, ${reason}:\n${some.map(({ id }) => `  ${id}`).join('\n')}`,
    )
    .join('\n')
}

/** A table of the topics in which a rule passed, is broken or is not testable here. */
function describeCoverage({ coverage }: SuiteReport): string {
  const examined = coverage.filter(({ passed, broken, untestable }) => passed + broken + untestable > 0)
  if (examined.length === 0) return ''
  const head = ['', 'rules', 'passed', 'broken', 'not testable', 'not examined']
  const rows = examined.map(({ title, rules, passed, broken, untestable, unexamined }) =>
    [title, rules, passed, broken, untestable, unexamined].map(String),
  )
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')
  return [head, ...rows].map(line).join('\n')
}
