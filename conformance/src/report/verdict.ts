import type { Status } from './status.ts'
import type { SuiteReport } from './suite-report.ts'

/** How reports name a status. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  passed: 'passed',
  failed: 'failed',
  undecided: 'without a verdict',
  known: 'known to fail',
  unscored: 'failed, not counted yet',
  warning: 'warnings',
  info: 'remarks',
  'not-run': 'not run',
  untestable: 'not testable here',
}

const COUNTED = [
  'passed',
  'failed',
  'undecided',
  'known',
  'unscored',
  'warning',
  'info',
  'not-run',
  'untestable',
] as const satisfies readonly Status[]

/** What the report amounts to, in capitals. */
export function verdictOf({ conformant, counts, staleBaseline }: Omit<SuiteReport, 'checks'>): string {
  if (conformant) return 'CONFORMANT'
  if (counts.failed > 0 || staleBaseline.length > 0) return 'NOT CONFORMANT'
  return counts.passed === 0 && counts.undecided + counts['not-run'] === 0 ? 'NOTHING EXAMINED' : 'NO VERDICT'
}

/** One line that says it all: `server, core and reference: CONFORMANT: 412 passed, 0 failed, 3 not testable here`. */
export function describeVerdict(report: SuiteReport): string {
  const { target, profile, counts, staleBaseline } = report
  const parts = COUNTED.filter((status) => counts[status] > 0 || status === 'passed' || status === 'failed').map(
    (status) => `${counts[status]} ${STATUS_WORDS[status]}`,
  )
  if (staleBaseline.length > 0) parts.push(`${staleBaseline.length} stale in the baseline`)
  return `${target}, ${profile === 'core' ? 'core' : 'core and reference'}: ${verdictOf(report)}: ${parts.join(', ')}`
}

/** `paced by your gateway: 212 waits, 41.0 s without a request`; null where it has held nobody back. */
export const describePacing = ({ pacing: { waits, pausedMs } }: Pick<SuiteReport, 'pacing'>): string | null =>
  waits === 0 ? null : `paced by your gateway: ${waits} waits, ${(pausedMs / 1000).toFixed(1)} s without a request`
