/**
 * How a check counts. `failed`: a MUST is broken. `undecided`: the driver failed, so the result is unknown. `known`: a MUST is broken, and
 * the baseline says so. `unscored`: a MUST is broken that the requirement set does not count yet. `warning`, `info`: a SHOULD, a MAY is not met. `not-run`: the run ended before. `untestable`: not
 * testable here, which does not count as a pass.
 */
export type Status =
  | 'passed'
  | 'failed'
  | 'undecided'
  | 'known'
  | 'unscored'
  | 'warning'
  | 'info'
  | 'not-run'
  | 'untestable'

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
] as const satisfies readonly Status[]
