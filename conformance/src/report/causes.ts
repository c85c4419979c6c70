/** Failures with the same cause. */
export interface CauseGroup {
  /** A description of the faulty behaviour. */
  readonly cause: string
  /** IDs of the checks that fail for this reason. */
  readonly checks: readonly string[]
}

interface Failed {
  readonly id: string
  readonly status: string
  readonly cause: string | null
}

/** Groups failed checks by their cause, the most frequent first. */
export function groupCauses(checks: readonly Failed[]): CauseGroup[] {
  const failed = checks.filter(({ status }) => status === 'failed')
  return [...Map.groupBy(failed, ({ cause }) => cause ?? '')]
    .map(([cause, some]) => ({ cause, checks: some.map(({ id }) => id) }))
    .sort((a, b) => b.checks.length - a.checks.length)
}
