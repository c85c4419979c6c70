import type { CheckInfo } from '../catalogue.ts'
import { RULES, TOPICS, topicOf } from '../rules.ts'
import type { KnownFailure } from '../runner/baseline.ts'
import type { CheckRun } from '../runner/run-check.ts'
import type { TranscriptEntry } from '../transcript.ts'

/**
 * How a check counts. `failed`: a MUST is broken. `known`: so it is, and the baseline says so. `warning`, `info`: a SHOULD, a
 * MAY is not met. `untestable`: not testable here, which is no pass.
 */
export type Status = 'passed' | 'failed' | 'known' | 'warning' | 'info' | 'untestable'

export const STATUSES = [
  'failed',
  'known',
  'warning',
  'info',
  'untestable',
  'passed',
] as const satisfies readonly Status[]

export interface CheckReport extends CheckInfo {
  readonly status: Status
  /** Why it is not passed; null where it is. */
  readonly message: string | null
  /** Why the failure is accepted; null where none is. */
  readonly knownReason: string | null
  readonly durationMs: number
  /** What went over the wire, redacted; empty where it passed and nobody asked. */
  readonly transcript: readonly TranscriptEntry[]
}

export interface TopicCoverage {
  readonly topic: string
  readonly title: string
  /** Rules of the target and profile. */
  readonly rules: number
  /** Rules of which every selected check passed. */
  readonly passed: number
  /** Rules with a check that failed, warned or informed. */
  readonly broken: number
  /** Rules that have checks, none of which broke, some of which were not testable here. */
  readonly untestable: number
  /** Rules that no selected check examined. */
  readonly unexamined: number
}

export interface SuiteReport {
  readonly target: 'server' | 'client' | 'receiver'
  readonly profile: 'core' | 'reference'
  /** What was examined: its URL or command. */
  readonly subject: string
  /** No MUST is broken but what the baseline names, and no entry of the baseline is stale. */
  readonly conformant: boolean
  readonly suiteVersion: string
  /** SHA-256 of the contract's bundled document. */
  readonly contractSha256: string
  readonly startedAt: string
  readonly durationMs: number
  readonly counts: Readonly<Record<Status | 'checks', number>>
  readonly coverage: readonly TopicCoverage[]
  /** Entries of the baseline whose check passed, was not run, or does not exist. */
  readonly staleBaseline: readonly (KnownFailure & { readonly why: string })[]
  readonly checks: readonly CheckReport[]
}

export interface ReportInput
  extends Pick<
    SuiteReport,
    'target' | 'profile' | 'subject' | 'suiteVersion' | 'contractSha256' | 'startedAt' | 'durationMs'
  > {
  readonly checks: readonly CheckInfo[]
  readonly runs: readonly CheckRun[]
  readonly baseline: readonly KnownFailure[]
}

/** Puts a verdict together. Every check must have its run. */
export function createReport({ checks, runs, baseline, ...head }: ReportInput): SuiteReport {
  const byId = new Map(runs.map((run) => [run.id, run]))
  const known = new Map(baseline.map((entry) => [entry.check, entry.reason]))
  const reports = checks.map((check) => {
    const run = byId.get(check.id)
    if (run === undefined) throw new Error(`${check.id} was selected and has no run`)
    return toCheckReport(check, run, known.get(check.id) ?? null)
  })
  const staleBaseline = baseline.flatMap((entry) => {
    const report = reports.find(({ id }) => id === entry.check)
    if (report?.status === 'known') return []
    const why = report === undefined ? 'no such check was run' : `the check is ${report.status} by now`
    return [{ ...entry, why }]
  })
  const counts = { checks: reports.length, passed: 0, failed: 0, known: 0, warning: 0, info: 0, untestable: 0 }
  for (const { status } of reports) counts[status] += 1
  return {
    ...head,
    conformant: counts.failed === 0 && counts.passed > 0 && staleBaseline.length === 0,
    counts,
    coverage: coverTopics(head, reports),
    staleBaseline,
    checks: reports,
  }
}

/** How a run counts for a check of this level. */
export function statusOf(level: CheckInfo['level'], { outcome }: CheckRun, knownReason: string | null): Status {
  if (outcome.kind !== 'failed') return outcome.kind
  if (level !== 'MUST') return level === 'SHOULD' ? 'warning' : 'info'
  return knownReason === null ? 'failed' : 'known'
}

function toCheckReport(check: CheckInfo, run: CheckRun, knownReason: string | null): CheckReport {
  const status = statusOf(check.level, run, knownReason)
  const { outcome } = run
  return {
    ...check,
    status,
    message: outcome.kind === 'failed' ? outcome.message : outcome.kind === 'untestable' ? outcome.reason : null,
    knownReason: status === 'known' ? knownReason : null,
    durationMs: run.durationMs,
    transcript: run.transcript,
  }
}

function coverTopics(
  { target, profile }: Pick<SuiteReport, 'target' | 'profile'>,
  checks: readonly CheckReport[],
): TopicCoverage[] {
  const rules = [...RULES.values()].filter(
    (rule) => rule.target === target && (profile === 'reference' || rule.profile === 'core'),
  )
  return Object.entries(TOPICS).flatMap(([topic, title]) => {
    const counts = { rules: 0, passed: 0, broken: 0, untestable: 0, unexamined: 0 }
    for (const rule of rules.filter(({ id }) => topicOf(id) === topic)) {
      counts.rules += 1
      counts[standingOf(checks.filter((check) => check.rules.includes(rule.id)))] += 1
    }
    return counts.rules === 0 ? [] : [{ topic, title, ...counts }]
  })
}

const standingOf = (checks: readonly CheckReport[]): 'passed' | 'broken' | 'untestable' | 'unexamined' => {
  if (checks.length === 0) return 'unexamined'
  if (checks.some(({ status }) => status !== 'passed' && status !== 'untestable')) return 'broken'
  return checks.some(({ status }) => status === 'untestable') ? 'untestable' : 'passed'
}
