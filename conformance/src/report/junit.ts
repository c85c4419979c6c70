import { topicOfCheck } from '../kit/catalogue.ts'
import { escapeXml } from './escape-xml.ts'
import type { CheckReport, SuiteReport } from './suite-report.ts'
import { describeVerdict, EXIT_CODES } from './verdict.ts'

/**
 * A JUnit report: the verdict as a case, then a suite for each topic with a case for each check, named by its ID. A
 * failed check is a failure, and an undecided one an error. Other checks that did not pass are skipped with their reason.
 */
export function renderJunit(report: SuiteReport): string {
  const { target, profile, subject, checks, startedAt, durationMs, judgement } = report
  const topics = [...Map.groupBy(checks, ({ id }) => topicOfCheck(id))]
  const suites = topics.map(([topic, some]) => renderTopic(`${target}/${topic}`, some))
  const fails = EXIT_CODES[judgement.verdict] === 0 ? 0 : 1
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${escapeXml(`${target} ${profile}: ${subject}`)}" ${countsOf(checks, fails)} time="${durationMs / 1000}" timestamp="${startedAt}">
${renderVerdict(report, fails)}
${suites.join('\n')}
</testsuites>
`
}

const isFailure = ({ status }: CheckReport): boolean => status === 'failed'
const isError = ({ status }: CheckReport): boolean => status === 'undecided'
const isSkipped = (check: CheckReport): boolean => check.status !== 'passed' && !isFailure(check) && !isError(check)

/** @param verdict Number of failed verdict cases, if the suite contains one in addition to the checks. */
const countsOf = (checks: readonly CheckReport[], verdict: number | null = null): string =>
  `tests="${checks.length + (verdict === null ? 0 : 1)}" failures="${checks.filter(isFailure).length + (verdict ?? 0)}" errors="${checks.filter(isError).length}" skipped="${checks.filter(isSkipped).length}"`

const renderTopic = (name: string, checks: readonly CheckReport[]): string =>
  [
    `<testsuite name="${escapeXml(name)}" ${countsOf(checks)} time="${sumOf(checks) / 1000}">`,
    ...checks.map((check) => renderCase(name, check)),
    '</testsuite>',
  ].join('\n')

/** A separate case, so that an incomplete run does not look passed. */
function renderVerdict(report: SuiteReport, fails: number): string {
  const { target, judgement } = report
  const line = escapeXml(describeVerdict(report))
  const result = fails === 0 ? '' : `<failure type="${judgement.verdict}" message="${line}">${line}</failure>`
  const name = escapeXml(`${target}/verdict`)
  return `<testsuite name="${name}" tests="1" failures="${fails}" errors="0" skipped="0" time="0">
<testcase classname="${name}" name="verdict" time="0"><properties><property name="verdict" value="${line}"/></properties>${result}</testcase>
</testsuite>`
}

const sumOf = (checks: readonly CheckReport[]): number => checks.reduce((sum, { durationMs }) => sum + durationMs, 0)

function renderCase(topic: string, check: CheckReport): string {
  const { id, title, rules, level, message, knownReason, durationMs } = check
  const head = `<testcase classname="${escapeXml(topic)}" name="${escapeXml(id)}" time="${durationMs / 1000}">`
  const properties = `<properties><property name="title" value="${escapeXml(title)}"/><property name="rules" value="${rules.join(' ')}"/><property name="level" value="${level}"/></properties>`
  const why = escapeXml(knownReason ?? message ?? '')
  const result = isFailure(check)
    ? `<failure type="${level}" message="${escapeXml(firstLine(message))}">${why}</failure>`
    : isError(check)
      ? `<error type="driver" message="${escapeXml(firstLine(message))}">${why}</error>`
      : isSkipped(check)
        ? `<skipped message="${escapeXml(`${check.status}: ${firstLine(knownReason ?? message)}`)}"/>`
        : ''
  return `${head}${properties}${result}</testcase>`
}

const firstLine = (text: string | null): string => text?.split('\n', 1)[0] ?? ''
