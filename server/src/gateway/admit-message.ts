import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { refusePast } from '@conversation-gateway/openapi/behaviour/start-deadline'
import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { GatewaySettings } from './context.ts'
import type { Change, Findings } from './writer/change.ts'
import type { OpenConversation } from './writer/open-conversation.ts'
import { countQueued } from './writer/open-conversation.ts'
import type { NewRun } from './writer/run-rules.ts'
import { admitRun } from './writer/run-rules.ts'

/** What bounds an admission. Counts are of unfinished runs; `deviceOfflineBefore` is the oldest acceptable heartbeat. */
export interface AdmissionLimits {
  readonly queuedPerConversation: number
  readonly pendingPerApp: number
  /** For devices without a limit of their own. */
  readonly pendingPerDevice: number
  readonly deviceOfflineBefore: Date
}

/** Limits that belong to the application that asks (D-24). */
export interface AppLimits {
  /** Unfinished runs; null for the gateway's default. */
  readonly pendingLimit: number | null
}

export const admissionLimits = (settings: GatewaySettings, app: AppLimits, now: Date): AdmissionLimits => ({
  queuedPerConversation: settings.queuedPerConversation,
  pendingPerApp: app.pendingLimit ?? settings.pendingPerApp,
  pendingPerDevice: settings.pendingPerDevice,
  deviceOfflineBefore: new Date(now.getTime() - settings.deviceOfflineMs),
})

/**
 * How far below a pending limit an admission is decided without taking the limit's lock. The counts that it reads do not
 * see what other units of work are about to add; as long as they admit fewer runs than this, over all processes, they
 * cannot carry a count past its limit. Nearer to the limit units go one by one.
 */
const PENDING_MARGIN = 128

/** So near to a pending limit of its application or of this device that it has to be counted exactly. */
export interface NearLimit {
  readonly kind: 'near_limit'
  readonly deviceId: string
}

/** An attachment has gone since it was looked at. */
export interface AttachmentGone {
  readonly kind: 'attachment_gone'
}

export interface AdmissionRequest {
  /** Of the conversation as it is when left out. */
  readonly expectedGeneration: number | undefined
  readonly run: NewRun
  readonly limits: AdmissionLimits
  /** Whether the counts are exact, because the lock of the limits is held. */
  readonly exact: boolean
}

/** Decides an admission by the conditions in the order of D-07, from the generation on, and carries it out. */
export const decideAdmission = (
  open: OpenConversation,
  found: Findings,
  { expectedGeneration, run, limits, exact }: AdmissionRequest,
): Admitted<Admission> | Refusal | NearLimit | AttachmentGone => {
  const { row, draft } = open
  const { generation } = draft.work
  // It may have waited for other units of work since it was asked for.
  const refusal =
    refusePast(run.startBefore, draft.now) ?? diagnose(open, found, expectedGeneration ?? generation, limits)
  if (refusal !== null) return refusal
  if (!exact && isNearLimit(open, found, limits)) return { kind: 'near_limit', deviceId: row.deviceId }
  if (!run.input.resourceIds.every((resourceId) => found.attachments.has(resourceId)))
    return { kind: 'attachment_gone' }
  const eventCursor = admitRun(open, run)
  found.pending.add(row.appId, row.deviceId)
  const body: Admission = {
    conversation_id: row.conversationId,
    generation,
    message_id: run.messageId,
    run_id: run.runId,
    state: 'queued',
    event_cursor: eventCursor,
  }
  return { kind: 'admitted', status: 202, body, replayed: false }
}

/** What an admission has to read. */
export const admissionReads = (
  tenant: { readonly appId: string; readonly subject: string },
  resourceIds: readonly string[],
): Change<unknown>['reads'] => ({
  pending: true,
  ...(resourceIds.length === 0 ? {} : { attachments: { tenant, resourceIds } }),
})

const limitOfDevice = ({ row }: OpenConversation, limits: AdmissionLimits): number =>
  row.pendingLimitOfDevice ?? limits.pendingPerDevice

const isNearLimit = (open: OpenConversation, { pending }: Findings, limits: AdmissionLimits): boolean =>
  pending.ofApp(open.row.appId) >= limits.pendingPerApp - PENDING_MARGIN ||
  pending.ofDevice(open.row.deviceId) >= limitOfDevice(open, limits) - PENDING_MARGIN

/** The answer while the operator has paused admission as a whole (D-46). */
export const ADMISSION_PAUSED = refuse('CAPABILITY_UNAVAILABLE', 'Admission is paused by the operator.', {
  retryAfterSeconds: 30,
})

/** The first condition, in the order of D-07, that stands in the way of an admission now. */
const diagnose = (
  open: OpenConversation,
  { pending }: Findings,
  expectedGeneration: number,
  limits: AdmissionLimits,
): Refusal | null => {
  const { row } = open
  const { generation, bindingVersion, state } = open.draft.work
  if (generation !== expectedGeneration)
    return refuse(
      'GENERATION_CONFLICT',
      `expected_generation is ${expectedGeneration}, the conversation is at ${generation}. Reload the snapshot.`,
    )
  if (bindingVersion < row.breakingVersion)
    return refuse(
      'GENERATION_CONFLICT',
      'The service was published with a breaking change; reset the conversation to adopt it.',
    )
  if (state !== 'active') return refuse('BUSY', 'The conversation is being reset; query that operation.')
  const queuedRuns = countQueued(open)
  if (queuedRuns >= limits.queuedPerConversation)
    return refuse('QUEUE_FULL', `The conversation has ${queuedRuns} queued runs, the most that may wait.`, {
      retryAfterSeconds: 2,
    })
  const pendingOfApp = pending.ofApp(row.appId)
  if (pendingOfApp >= limits.pendingPerApp)
    return refuse('PENDING_LIMIT', `The application has ${pendingOfApp} unfinished runs, the most that it may have.`, {
      retryAfterSeconds: 2,
    })
  if (pending.ofDevice(row.deviceId) >= limitOfDevice(open, limits))
    return refuse('PENDING_LIMIT', 'The device has as many unfinished runs as it may have.', { retryAfterSeconds: 2 })
  if (row.deviceState === 'disabled') return refuse('PERMISSION_DENIED', 'The device of this service is disabled.')
  if (row.admissionPaused) return ADMISSION_PAUSED
  if (row.deviceState === 'paused')
    return refuse('CAPABILITY_UNAVAILABLE', 'The device of this service is paused.', { retryAfterSeconds: 30 })
  if (row.heartbeatAt === null || row.heartbeatAt <= limits.deviceOfflineBefore)
    return refuse('CAPABILITY_UNAVAILABLE', 'The device of this service is offline.', { retryAfterSeconds: 10 })
  return null
}
