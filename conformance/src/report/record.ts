import type { KeptReport } from './read-report.ts'
import { findRequirementSet, hashOfSet } from './requirement-sets.ts'
import { countStatuses, STATUSES, type Status } from './status.ts'

/** The implementation that a report examined. */
export interface Implementation {
  readonly name: string
  /** Its programming language. */
  readonly language: string
  /** Its public URL; null if it is not public. */
  readonly url: string | null
  /** The examined release or commit. */
  readonly version: string
}

type CopiedMember =
  | 'target'
  | 'profile'
  | 'subject'
  | 'requirements'
  | 'startedAt'
  | 'suiteVersion'
  | 'suiteSha256'
  | 'contractSha256'

/** A report's entry in `conformance/results`: the examined implementation, and every check that did not pass. */
export interface ResultRecord extends Pick<KeptReport, CopiedMember> {
  readonly implementation: Implementation
  /** Number of checks with each status. A status without checks is absent. */
  readonly counts: Readonly<Partial<Record<Status, number>>>
  /** The status of each check that did not pass, by its ID. */
  readonly notPassed: Readonly<Record<string, Exclude<Status, 'passed'>>>
  /** The hash of the whole report. */
  readonly reportSha256: string
}

/** Reduces a report to its record. */
export function toRecord(implementation: Implementation, report: KeptReport): ResultRecord {
  const { target, profile, subject, requirements, startedAt } = report
  const { suiteVersion, suiteSha256, contractSha256, checks, sha256 } = report
  return {
    implementation,
    ...{ target, profile, subject, requirements, startedAt, suiteVersion, suiteSha256, contractSha256 },
    counts: Object.fromEntries(Object.entries(countStatuses(checks)).filter(([, count]) => count > 0)),
    notPassed: Object.fromEntries(
      checks.flatMap(({ id, status }) => (status === 'passed' ? [] : [[id, status] as const])),
    ),
    reportSha256: sha256,
  }
}

/** Lists the contradictions inside a record, and between the record and its requirement set. */
export function faultsOfRecord(record: ResultRecord): string[] {
  const { target, profile, requirements, counts, notPassed } = record
  const count = (status: Status): number => counts[status] ?? 0
  const listed = Object.values(notPassed)
  const faults = STATUSES.filter(
    (status) => status !== 'passed' && count(status) !== listed.filter((other) => other === status).length,
  ).map((status) => `counts.${status} is ${count(status)}, but notPassed lists a different number of checks.`)
  if (requirements === null) return faults
  const set = findRequirementSet(profile, requirements.name)
  if (set === null || hashOfSet(set) !== requirements.sha256)
    return [...faults, `There is no requirement set ${requirements.name} with this hash.`]
  const examined = STATUSES.reduce((sum, status) => sum + count(status), 0)
  const required = set.checks[target]?.length ?? 0
  if (examined < required) faults.push(`It counts ${examined} checks; ${requirements.name} requires ${required}.`)
  return faults
}
