import type { CheckInfo } from '../kit/catalogue.ts'
import { RULES, TOPICS, topicOf } from '../kit/rules.ts'
import type { KeptReport } from './read-report.ts'
import { describeJudgement } from './verdict.ts'

/** With its head, the verdicts and a line for omitted topics, the table stays below 30 lines. */
const MOST_TOPICS = 24

/**
 * A Markdown table for a README, at most 30 lines: for each topic and report, how many of its checks passed. Failing and
 * large topics are named; the others share one line.
 */
export function renderSupportTable(reports: readonly KeptReport[], catalogue: readonly CheckInfo[]): string {
  const topics = Object.entries(TOPICS)
    .map(([topic, title]) => ({ title, cells: reports.map((report) => countTopic(report, topic, catalogue)) }))
    .filter(({ cells }) => cells.some(({ checks }) => checks > 0))
  const shown = new Set(
    topics
      .toSorted((a, b) => weightOf(b.cells) - weightOf(a.cells))
      .slice(0, MOST_TOPICS)
      .map(({ title }) => title),
  )
  const rest = topics.filter(({ title }) => !shown.has(title))
  const rows = topics.filter(({ title }) => shown.has(title)).map(({ title, cells }) => [title, ...cells.map(describe)])
  const others =
    rest.length === 0
      ? []
      : [[`${rest.length} other topics`, ...reports.map((_, at) => describe(sum(rest.map(({ cells }) => cells[at]))))]]
  const head = ['', ...reports.map(({ subject }) => escapeCell(subject))]
  const verdicts = ['**Verdict**', ...reports.map(describeReport)]
  return `${[head, head.map(() => '---'), verdicts, ...rows, ...others].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

interface Count {
  readonly checks: number
  readonly passed: number
  readonly failed: number
}

const countTopic = ({ target, checks }: KeptReport, topic: string, catalogue: readonly CheckInfo[]): Count => {
  const own = new Set(
    catalogue
      .filter((check) => check.target === target && check.rules.some((id) => RULES.has(id) && topicOf(id) === topic))
      .map(({ id }) => id),
  )
  const some = checks.filter(({ id }) => own.has(id))
  return {
    checks: some.length,
    passed: some.filter(({ status }) => status === 'passed').length,
    failed: some.filter(({ status }) => status === 'failed' || status === 'known').length,
  }
}

const sum = (counts: readonly (Count | undefined)[]): Count =>
  counts.reduce<Count>(
    (total, count) => ({
      checks: total.checks + (count?.checks ?? 0),
      passed: total.passed + (count?.passed ?? 0),
      failed: total.failed + (count?.failed ?? 0),
    }),
    { checks: 0, passed: 0, failed: 0 },
  )

/** Orders failing topics before passing ones, and large topics before small ones. */
const weightOf = (cells: readonly Count[]): number => sum(cells).failed * 10_000 + sum(cells).checks

const describe = ({ checks, passed, failed }: Count): string =>
  checks === 0 ? '' : `${failed > 0 ? '❌' : passed === checks ? '✅' : '☑️'} ${passed}/${checks}`

const describeReport = (report: KeptReport): string =>
  `${describeJudgement(report)}, ${report.requirements?.name ?? report.profile}, ${report.startedAt.slice(0, 10)}`

const escapeCell = (text: string): string => text.replaceAll(/[|\n]/g, ' ')
