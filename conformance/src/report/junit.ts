import { topicOfCheck } from '../catalogue.ts'
import { escapeXml } from './escape-xml.ts'
import type { CheckReport, SuiteReport } from './suite-report.ts'

/**
 * A JUnit report: a suite for each topic, a case for each check, named by its ID. Only what breaks conformity is a failure; a
 * known failure, a warning, and what could not be examined are skipped with their reason.
 */
export function renderJunit({ target, profile, subject, checks, startedAt, durationMs }: SuiteReport): string {
  const topics = [...Map.groupBy(checks, ({ id }) => topicOfCheck(id))]
  const suites = topics.map(([topic, some]) => renderTopic(`${target}/${topic}`, some))
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${escapeXml(`${target} ${profile}: ${subject}`)}" ${countsOf(checks)} time="${durationMs / 1000}" timestamp="${startedAt}">
${suites.join('\n')}
</testsuites>
`
}

const isFailure = ({ status }: CheckReport): boolean => status === 'failed'
const isError = ({ status }: CheckReport): boolean => status === 'undecided'
const isSkipped = (check: CheckReport): boolean => check.status !== 'passed' && !isFailure(check) && !isError(check)

const countsOf = (checks: readonly CheckReport[]): string =>
  `tests="${checks.length}" failures="${checks.filter(isFailure).length}" errors="${checks.filter(isError).length}" skipped="${checks.filter(isSkipped).length}"`

const renderTopic = (name: string, checks: readonly CheckReport[]): string =>
  [
    `<testsuite name="${escapeXml(name)}" ${countsOf(checks)} time="${sumOf(checks) / 1000}">`,
    ...checks.map((check) => renderCase(name, check)),
    '</testsuite>',
  ].join('\n')

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
