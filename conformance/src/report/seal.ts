import { hash } from 'node:crypto'
import type { Target } from '../kit/check.ts'
import type { DescribedConfig } from '../kit/config/describe-config.ts'
import type { Status } from './status.ts'

/**
 * The part of a report that its hash covers. It omits what follows from this part or from the catalogue of checks, and
 * the causes, durations and transcripts of the checks.
 */
export interface SealedReport {
  readonly target: Target
  readonly profile: 'core' | 'reference'
  /** Name, URL or command of the examined system. */
  readonly subject: string
  /**
   * No MUST is broken except those in the baseline, no entry of the baseline is stale, the checks are not a selection,
   * and all counted ones were examined except those that `allowedUntestable` names.
   */
  readonly conformant: boolean
  /** Whether only some of the checks were selected. False if absent, as in older reports. */
  readonly isSelection?: boolean
  /** Topics and checks that may be untestable. Empty if absent, as in older reports. */
  readonly allowedUntestable?: readonly string[]
  /** The requirement set, which names the counted checks; null: all selected checks count. */
  readonly requirements: { readonly name: string; readonly sha256: string } | null
  readonly suiteVersion: string
  /** SHA-256 of the suite's program. */
  readonly suiteSha256: string
  /** SHA-256 of the contract's bundled document. */
  readonly contractSha256: string
  readonly startedAt: string
  readonly durationMs: number
  /** The environment in which the suite ran. */
  readonly environment: Readonly<Record<'node' | 'platform' | 'processors', string>>
  /** The configuration without secrets. */
  readonly configuration: DescribedConfig
  /** Entries of the baseline that excuse no broken MUST; `why` is the reason. */
  readonly staleBaseline: readonly { readonly check: string; readonly reason: string; readonly why: string }[]
  readonly checks: readonly SealedCheck[]
}

export interface SealedCheck {
  readonly id: string
  readonly status: Status
  /** The reason why it did not pass; null if it passed. */
  readonly message: string | null
}

/** The part of a report that its hash covers. */
const sealedPartOf = (report: SealedReport): SealedReport => ({
  target: report.target,
  profile: report.profile,
  subject: report.subject,
  conformant: report.conformant,
  ...(report.isSelection === undefined ? {} : { isSelection: report.isSelection }),
  ...(report.allowedUntestable === undefined ? {} : { allowedUntestable: report.allowedUntestable }),
  requirements: report.requirements,
  suiteVersion: report.suiteVersion,
  suiteSha256: report.suiteSha256,
  contractSha256: report.contractSha256,
  startedAt: report.startedAt,
  durationMs: report.durationMs,
  environment: report.environment,
  configuration: report.configuration,
  staleBaseline: report.staleBaseline,
  checks: report.checks.map(({ id, status, message }) => ({ id, status, message })),
})

/** SHA-256 of the sealed part, written as JSON with sorted members, so that formatting makes no difference. */
export const hashOfReport = (report: SealedReport): string =>
  hash('sha256', JSON.stringify(sorted(sealedPartOf(report))))

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, member]) => [name, sorted(member)]),
        )
      : value
