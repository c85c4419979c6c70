import { expect, it } from 'vitest'
import type { AdmissionLimits, AdmissionState } from './admission.ts'
import { refuseAdmission } from './admission.ts'

const LIMITS: AdmissionLimits = { queuedPerConversation: 2, pendingPerApp: 5, pendingPerDevice: 7 }
const OPEN: AdmissionState = {
  work: { generation: 3, bindingVersion: 4, state: 'active' },
  breakingVersion: 4,
  queuedRuns: 1,
  pendingOfApp: 4,
  pendingOfDevice: 6,
  device: 'ready',
  isPaused: false,
}
const DECIDE = (state: AdmissionState, expected = 3): string => {
  const refusal = refuseAdmission(state, expected, LIMITS)
  return refusal === null ? 'admitted' : `${refusal.code}: ${refusal.detail}`
}

/** The failing conditions, in the order of D-07. */
const CONDITIONS: readonly [answer: string, changes: Partial<AdmissionState>][] = [
  ['GENERATION_CONFLICT: The service was published', { breakingVersion: 5 }],
  ['BUSY: ', { work: { ...OPEN.work, state: 'resetting' } }],
  ['QUEUE_FULL: The conversation has 2 ', { queuedRuns: 2 }],
  ['PENDING_LIMIT: The application has 5 ', { pendingOfApp: 5 }],
  ['PENDING_LIMIT: The device ', { pendingOfDevice: 7 }],
  ['PERMISSION_DENIED: ', { device: 'disabled' }],
  ['CAPABILITY_UNAVAILABLE: Admission is paused', { isPaused: true }],
]

it('admits a message that reaches every limit', () => {
  expect(DECIDE(OPEN)).toBe('admitted')
})

it('refuses an older or newer generation before it checks other conditions [MSG-05]', () => {
  for (const expected of [2, 4])
    expect(DECIDE({ ...OPEN, ...Object.assign({}, ...CONDITIONS.map(([, changes]) => changes)) }, expected)).toMatch(
      new RegExp(`^GENERATION_CONFLICT: expected_generation is ${expected}, the conversation is at 3`),
    )
})

it('names the first of several conditions in the order of D-07', () => {
  for (const [index, [answer, changes]] of CONDITIONS.entries()) {
    const later = CONDITIONS.slice(index + 1).map(([, each]) => each)
    expect(DECIDE({ ...OPEN, ...Object.assign({}, ...later), ...changes })).toContain(answer)
  }
})

it('refuses while the device is paused or offline, and says which [DEV-05]', () => {
  expect(DECIDE({ ...OPEN, device: 'paused' })).toBe('CAPABILITY_UNAVAILABLE: The device of this service is paused.')
  expect(DECIDE({ ...OPEN, device: 'offline' })).toBe('CAPABILITY_UNAVAILABLE: The device of this service is offline.')
})
