import type { CheckInfo } from '../kit/catalogue.ts'
import type { CheckRun } from '../kit/check-run.ts'
import { RULES, TOPICS, topicOf } from '../kit/rules.ts'
import { NO_PACING, type Pacing } from '../kit/system.ts'
import type { TranscriptEntry } from '../kit/transcript.ts'
import type { KnownFailure } from './baseline.ts'
import { type CauseGroup, groupCauses } from './causes.ts'
import { isConformant, type Judgement, judge } from './judge.ts'
import type { RequirementSet } from './requirement-sets.ts'
import { hashOfSet } from './requirement-sets.ts'
import { hashOfReport, type SealedReport } from './seal.ts'
import { countStatuses, type Status } from './status.ts'

export interface CheckReport extends CheckInfo {
  readonly status: Status
  /** The reason why it did not pass; null if it passed. */
  readonly message: string | null
  /** The cause, which other failures may share; null if it has not failed. */
  readonly cause: string | null
  /** The reason for accepting the failure; null if it is not accepted. */
  readonly knownReason: string | null
  readonly durationMs: number
  /** The redacted requests and answers; empty if it passed, unless requested. */
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
  /** Rules with a check that was not testable here, and without a broken, undecided or not-run check. */
  readonly untestable: number
  /** Rules without a selected check, or with an undecided or not-run check and no broken one. */
  readonly unexamined: number
}

export interface SuiteReport extends SealedReport {
  /** SHA-256 of the sealed part of the report, which `report verify` recomputes. */
  readonly sha256: string
  /** The judgement that determines `conformant`. */
  readonly judgement: Judgement
  readonly counts: Readonly<Record<Status | 'checks', number>>
  readonly coverage: readonly TopicCoverage[]
  /** Failed checks grouped by cause, the most frequent first. */
  readonly causes: readonly CauseGroup[]
  readonly checks: readonly CheckReport[]
  /** Delays of the suite by the system's rate limits. */
  readonly pacing: Pacing
}

export interface ReportInput
  extends Pick<
    SuiteReport,
    | 'target'
    | 'profile'
    | 'subject'
    | 'suiteVersion'
    | 'suiteSha256'
    | 'contractSha256'
    | 'startedAt'
    | 'durationMs'
    | 'environment'
    | 'configuration'
  > {
  /** Default: no delays. */
  readonly pacing?: Pacing
  /** Which checks count. Default: all. */
  readonly requirements?: RequirementSet | null
  readonly checks: readonly CheckInfo[]
  readonly runs: readonly CheckRun[]
  readonly baseline: readonly KnownFailure[]
  /** Whether only some of the checks of the profile were selected. Default false. */
  readonly isSelection?: boolean
  /** Topics and checks that may be untestable. Default: none. */
  readonly allowedUntestable?: readonly string[]
  /** Whether an unselected check with this ID exists. Default: always false. */
  isCheck?(id: string): boolean
}

/** Creates a report. @throws {Error} A check has no run. */
export function createReport(input: ReportInput): SuiteReport {
  const { checks, runs, baseline, requirements = null, pacing = NO_PACING, isCheck = () => false, ...more } = input
  const { isSelection = false, allowedUntestable = [], ...head } = more
  const isScored = scoring(head.target, requirements)
  const byId = new Map(runs.map((run) => [run.id, run]))
  const known = new Map(baseline.map((entry) => [entry.check, entry.reason]))
  const reports = checks.map((check) => {
    const run = byId.get(check.id)
    if (run === undefined) throw new Error(`${check.id} was selected but has no run`)
    return toCheckReport(check, run, { knownReason: known.get(check.id) ?? null, isScored: isScored(check.id) })
  })
  const staleBaseline = baseline.flatMap((entry) => {
    const report = reports.find(({ id }) => id === entry.check)
    if (report === undefined) return isCheck(entry.check) ? [] : [{ ...entry, why: 'the check does not exist' }]
    if (report.status === 'known' || report.status === 'not-run' || report.status === 'undecided') return []
    return [{ ...entry, why: `the check is ${STALE_WORDS[report.status]}` }]
  })
  const judgement = judge(
    { checks: reports, staleBaseline, isSelection, allowedUntestable },
    requirements?.checks[head.target] ?? null,
  )
  const report = {
    ...head,
    requirements: requirements === null ? null : { name: requirements.name, sha256: hashOfSet(requirements) },
    isSelection,
    allowedUntestable,
    judgement,
    conformant: isConformant(judgement),
    counts: { checks: reports.length, ...countStatuses(reports) },
    coverage: coverTopics(head, reports),
    causes: groupCauses(reports),
    staleBaseline,
    checks: reports,
    pacing,
  }
  return { ...report, sha256: hashOfReport(report) }
}

/** Returns a predicate for the IDs of the target's counted checks. */
export function scoring(target: CheckInfo['target'], requirements: RequirementSet | null): (id: string) => boolean {
  const named = requirements?.checks[target]
  if (named === undefined) return () => true
  const counted = new Set(named)
  return (id) => counted.has(id)
}

/** The reason why an entry of the baseline is stale. */
const STALE_WORDS: Readonly<Record<Exclude<Status, 'known' | 'not-run' | 'undecided'>, string>> = {
  passed: 'passing now',
  failed: 'failed',
  unscored: 'not counted yet',
  warning: 'a SHOULD, which does not fail a run',
  info: 'a MAY, which does not fail a run',
  untestable: 'not testable here',
}

export interface FailureRating {
  /** The reason for accepting its failure; null if it is not accepted. */
  readonly knownReason: string | null
  /** Whether it counts. */
  readonly isScored: boolean
}

/** The status of a check of this level after its run. */
export function statusOf(level: CheckInfo['level'], { outcome }: CheckRun, rating: FailureRating): Status {
  const { knownReason, isScored } = rating
  if (outcome.kind !== 'failed') return outcome.kind
  if (level !== 'MUST') return level === 'SHOULD' ? 'warning' : 'info'
  if (!isScored) return 'unscored'
  return knownReason === null ? 'failed' : 'known'
}

function toCheckReport(check: CheckInfo, run: CheckRun, rating: FailureRating): CheckReport {
  const status = statusOf(check.level, run, rating)
  const { outcome } = run
  return {
    ...check,
    status,
    message: outcome.kind === 'passed' ? null : outcome.kind === 'failed' ? outcome.message : outcome.reason,
    cause: outcome.kind === 'failed' ? outcome.cause : null,
    knownReason: status === 'known' ? rating.knownReason : null,
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
      counts[outcomeOf(checks.filter((check) => check.rules.includes(rule.id)))] += 1
    }
    return counts.rules === 0 ? [] : [{ topic, title, ...counts }]
  })
}

const BROKEN: ReadonlySet<Status> = new Set(['failed', 'known', 'unscored', 'warning', 'info'])

const outcomeOf = (checks: readonly CheckReport[]): 'passed' | 'broken' | 'untestable' | 'unexamined' => {
  if (checks.length === 0) return 'unexamined'
  if (checks.some(({ status }) => BROKEN.has(status))) return 'broken'
  if (checks.some(({ status }) => status === 'not-run' || status === 'undecided')) return 'unexamined'
  return checks.some(({ status }) => status === 'untestable') ? 'untestable' : 'passed'
}
