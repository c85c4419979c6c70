import type { KeptReport } from './read-report.ts'
import type { Status } from './status.ts'

/** A check whose verdict is another one than before; null: there was none. */
export interface Change {
  readonly id: string
  readonly before: Status | null
  readonly after: Status | null
  /** Why it is not passed now; null where it is. */
  readonly message: string | null
}

export interface ReportDiff {
  /** Passed before, or were not there, and fail now. */
  readonly broken: readonly Change[]
  /** Failed before and pass now. */
  readonly mended: readonly Change[]
  /** Every other change: what became testable, came or went. */
  readonly other: readonly Change[]
}

/** What changed from one report to another. */
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
  const isMended = (change: Change) => change.before === 'failed' && change.after === 'passed'
  return {
    broken: changes.filter(isBroken),
    mended: changes.filter(isMended),
    other: changes.filter((change) => !isBroken(change) && !isMended(change)),
  }
}

/** The differences as text, the broken first. */
export function renderDiff({ broken, mended, other }: ReportDiff): string {
  const lines = [
    ...broken.map(({ id, before, message }) => `BROKEN: ${id} (${before ?? 'new'})\n    ${message ?? ''}`),
    ...mended.map(({ id }) => `mended: ${id}`),
    ...other.map((change) => `${change.before ?? 'absent'} -> ${change.after ?? 'absent'}: ${change.id}`),
    `${broken.length} broken, ${mended.length} mended, ${other.length} other changes`,
  ]
  return `${lines.join('\n')}\n`
}
