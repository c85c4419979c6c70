import type { Status, SuiteReport } from './suite-report.ts'

const COUNTED: readonly (readonly [Status, string])[] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['known', 'known to fail'],
  ['warning', 'warnings'],
  ['info', 'remarks'],
  ['untestable', 'not testable here'],
]

/** One line that says it all: `server, core and reference: CONFORMANT: 412 passed, 0 failed, 3 not testable here`. */
export function describeVerdict({ target, profile, conformant, counts, staleBaseline }: SuiteReport): string {
  const parts = COUNTED.filter(([status]) => counts[status] > 0 || status === 'passed' || status === 'failed').map(
    ([status, words]) => `${counts[status]} ${words}`,
  )
  if (staleBaseline.length > 0) parts.push(`${staleBaseline.length} stale in the baseline`)
  return `${target}, ${profile === 'core' ? 'core' : 'core and reference'}: ${conformant ? 'CONFORMANT' : 'NOT CONFORMANT'}: ${parts.join(', ')}`
}
