import type { ConversationWork } from './conversation-work.ts'
import type { Refusal } from './refusal.ts'
import { generationConflict, RESETTING, refuse } from './refusal.ts'

/** The facts that decide an admission. `queuedRuns` counts queued runs; `pending*` counts include executing ones. */
export interface AdmissionState {
  readonly work: Pick<ConversationWork, 'generation' | 'bindingVersion' | 'state'>
  /** Conversations that are bound to an earlier version have to be reset first. */
  readonly breakingVersion: number
  readonly queuedRuns: number
  readonly pendingOfApp: number
  readonly pendingOfDevice: number
  readonly device: 'ready' | 'offline' | 'paused' | 'disabled'
  /** Whether the operator has paused admission as a whole (D-46). */
  readonly isPaused: boolean
}

export interface AdmissionLimits {
  readonly queuedPerConversation: number
  readonly pendingPerApp: number
  readonly pendingPerDevice: number
}

export const ADMISSION_PAUSED: Refusal = refuse('CAPABILITY_UNAVAILABLE', 'Admission is paused by the operator.', {
  retryAfterSeconds: 30,
})

/**
 * The first condition that forbids an admission; null if none does. Checks in the order of D-07, starting with the
 * generation; the earlier checks of D-07 have passed.
 */
export const refuseAdmission = (
  { work, breakingVersion, queuedRuns, pendingOfApp, pendingOfDevice, device, isPaused }: AdmissionState,
  expectedGeneration: number,
  limits: AdmissionLimits,
): Refusal | null => {
  if (work.generation !== expectedGeneration) return generationConflict(expectedGeneration, work.generation)
  if (work.bindingVersion < breakingVersion)
    return refuse(
      'GENERATION_CONFLICT',
      'The service was published with a breaking change; reset the conversation to adopt it.',
    )
  if (work.state !== 'active') return RESETTING
  if (queuedRuns >= limits.queuedPerConversation)
    return refuse(
      'QUEUE_FULL',
      `The conversation has ${queuedRuns} queued runs; the limit is ${limits.queuedPerConversation}.`,
      { retryAfterSeconds: 2 },
    )
  if (pendingOfApp >= limits.pendingPerApp)
    return refuse(
      'PENDING_LIMIT',
      `The application has ${pendingOfApp} unfinished runs; the limit is ${limits.pendingPerApp}.`,
      { retryAfterSeconds: 2 },
    )
  if (pendingOfDevice >= limits.pendingPerDevice)
    return refuse('PENDING_LIMIT', 'The device has reached its limit of unfinished runs.', { retryAfterSeconds: 2 })
  if (device === 'disabled') return refuse('PERMISSION_DENIED', 'The device of this service is disabled.')
  if (isPaused) return ADMISSION_PAUSED
  if (device === 'paused')
    return refuse('CAPABILITY_UNAVAILABLE', 'The device of this service is paused.', { retryAfterSeconds: 30 })
  if (device === 'offline')
    return refuse('CAPABILITY_UNAVAILABLE', 'The device of this service is offline.', { retryAfterSeconds: 10 })
  return null
}
