/**
 * The status of a check. `failed`: a MUST is broken. `undecided`: the driver failed, so the result is unknown. `known`:
 * a MUST is broken, and the baseline lists it. `unscored`: a MUST is broken, but the requirement set does not count the
 * check. `warning` or `info`: a SHOULD or a MAY is not met. `not-run`: the run ended first. `untestable`: not testable
 * here, which is not a pass.
 */
export type Status = (typeof STATUSES)[number]

/** All statuses, the worst first. */
export const STATUSES = [
  'failed',
  'undecided',
  'known',
  'unscored',
  'warning',
  'info',
  'not-run',
  'untestable',
  'passed',
] as const

/** Counts the checks with each status. */
export const countStatuses = (checks: readonly { readonly status: Status }[]): Readonly<Record<Status, number>> => {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>
  for (const { status } of checks) counts[status] += 1
  return counts
}
