import type { KeptReport } from './read-report.ts'
import type { Status } from './status.ts'

/** A check with a changed status; null if a report does not contain it. */
export interface Change {
  readonly id: string
  readonly before: Status | null
  readonly after: Status | null
  /** The reason why it does not pass in the newer report; null if it passes or is missing there. */
  readonly message: string | null
}

export interface ReportDiff {
  /** Checks that fail in the newer report and did not fail before. */
  readonly broken: readonly Change[]
  /** Checks that failed before and pass in the newer report. */
  readonly fixed: readonly Change[]
  /** All other changes, such as checks that became testable, or were added or removed. */
  readonly other: readonly Change[]
}

/** The changes from one report to another. */
export function diffReports(before: KeptReport, after: KeptReport): ReportDiff {
  const earlier = new Map(before.checks.map((check) => [check.id, check.status]))
  const later = new Map(after.checks.map((check) => [check.id, check]))
  const changes = [...new Set([...earlier.keys(), ...later.keys()])]
    .map((id) => ({
      id,
      before: earlier.get(id) ?? null,
      after: later.get(id)?.status ?? null,
      message: later.get(id)?.message ?? null,
    }))
    .filter((change) => change.before !== change.after)
  const isBroken = (change: Change) => change.after === 'failed'
  const isFixed = (change: Change) => change.before === 'failed' && change.after === 'passed'
  return {
    broken: changes.filter(isBroken),
    fixed: changes.filter(isFixed),
    other: changes.filter((change) => !isBroken(change) && !isFixed(change)),
  }
}

/** The differences as text, with new failures first. */
export function renderDiff({ broken, fixed, other }: ReportDiff): string {
  const lines = [
    ...broken.map(({ id, before, message }) => `BROKEN: ${id} (${before ?? 'new'})\n    ${message ?? ''}`),
    ...fixed.map(({ id }) => `fixed: ${id}`),
    ...other.map((change) => `${change.before ?? 'absent'} -> ${change.after ?? 'absent'}: ${change.id}`),
    `${broken.length} broken, ${fixed.length} fixed, ${other.length} other changes`,
  ]
  return `${lines.join('\n')}\n`
}
