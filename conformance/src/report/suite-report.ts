import type { CheckInfo } from '../catalogue.ts'
import { RULES, TOPICS, topicOf } from '../rules.ts'
import type { KnownFailure } from '../runner/baseline.ts'
import type { CheckRun } from '../runner/run-check.ts'
import type { TranscriptEntry } from '../transcript.ts'
import { type CauseGroup, groupCauses } from './causes.ts'

/**
 * How a check counts. `failed`: a MUST is broken. `undecided`: the driver failed, so nobody can say. `known`: a MUST is broken, and
 * the baseline says so. `warning`, `info`: a SHOULD, a MAY is not met. `not-run`: the run ended before. `untestable`: not
 * testable here, which is no pass.
 */
export type Status = 'passed' | 'failed' | 'undecided' | 'known' | 'warning' | 'info' | 'not-run' | 'untestable'

export const STATUSES = [
  'failed',
  'undecided',
  'known',
  'warning',
  'info',
  'not-run',
  'untestable',
  'passed',
] as const satisfies readonly Status[]

export interface CheckReport extends CheckInfo {
  readonly status: Status
  /** Why it is not passed; null where it is. */
  readonly message: string | null
  /** What it has in common with other failures of the same origin; null where it has not failed. */
  readonly cause: string | null
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
  /**
   * No MUST is broken but what the baseline names, no entry of the baseline is stale, and everything selected was run to a
   * verdict.
   */
  readonly conformant: boolean
  readonly suiteVersion: string
  /** SHA-256 of the contract's bundled document. */
  readonly contractSha256: string
  readonly startedAt: string
  readonly durationMs: number
  readonly counts: Readonly<Record<Status | 'checks', number>>
  readonly coverage: readonly TopicCoverage[]
  /** Failed checks by what they have in common, the most frequent cause first. */
  readonly causes: readonly CauseGroup[]
  /** Entries of the baseline whose check passed, could not be examined, or does not exist. */
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
  /** Whether a check of this ID exists, although it was not selected. Default: none does. */
  isCheck?(id: string): boolean
}

/** Puts a verdict together. Every check must have its run. */
export function createReport({ checks, runs, baseline, isCheck = () => false, ...head }: ReportInput): SuiteReport {
  const byId = new Map(runs.map((run) => [run.id, run]))
  const known = new Map(baseline.map((entry) => [entry.check, entry.reason]))
  const reports = checks.map((check) => {
    const run = byId.get(check.id)
    if (run === undefined) throw new Error(`${check.id} was selected and has no run`)
    return toCheckReport(check, run, known.get(check.id) ?? null)
  })
  const staleBaseline = baseline.flatMap((entry) => {
    const report = reports.find(({ id }) => id === entry.check)
    if (report === undefined) return isCheck(entry.check) ? [] : [{ ...entry, why: 'there is no such check' }]
    if (report.status === 'known' || report.status === 'not-run' || report.status === 'undecided') return []
    return [{ ...entry, why: `the check is ${STALE_WORDS[report.status]}` }]
  })
  const counts = {
    checks: reports.length,
    passed: 0,
    failed: 0,
    undecided: 0,
    known: 0,
    warning: 0,
    info: 0,
    'not-run': 0,
    untestable: 0,
  }
  for (const { status } of reports) counts[status] += 1
  return {
    ...head,
    conformant:
      counts.failed + counts.undecided + counts['not-run'] === 0 && counts.passed > 0 && staleBaseline.length === 0,
    counts,
    coverage: coverTopics(head, reports),
    causes: groupCauses(reports),
    staleBaseline,
    checks: reports,
  }
}

/** What makes an entry of the baseline stale. */
const STALE_WORDS: Readonly<Record<Exclude<Status, 'known' | 'not-run' | 'undecided'>, string>> = {
  passed: 'passed by now',
  failed: 'failed',
  warning: 'a SHOULD, which fails no run',
  info: 'a MAY, which fails no run',
  untestable: 'not testable here',
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
    message: outcome.kind === 'passed' ? null : outcome.kind === 'failed' ? outcome.message : outcome.reason,
    cause: outcome.kind === 'failed' ? outcome.cause : null,
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

const BROKEN: ReadonlySet<Status> = new Set(['failed', 'known', 'warning', 'info'])

const standingOf = (checks: readonly CheckReport[]): 'passed' | 'broken' | 'untestable' | 'unexamined' => {
  if (checks.length === 0) return 'unexamined'
  if (checks.some(({ status }) => BROKEN.has(status))) return 'broken'
  if (checks.some(({ status }) => status === 'not-run' || status === 'undecided')) return 'unexamined'
  return checks.some(({ status }) => status === 'untestable') ? 'untestable' : 'passed'
}
