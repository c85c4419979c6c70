import type { AdmissionLimits, AdmissionState } from '@conversation-gateway/openapi/behaviour/admission'
import { refuseAdmission } from '@conversation-gateway/openapi/behaviour/admission'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refusePast } from '@conversation-gateway/openapi/behaviour/start-deadline'
import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { Change, Findings } from '../writer/change.ts'
import type { OpenConversation } from '../writer/conversation.ts'
import { countQueued } from '../writer/conversation.ts'
import type { NewRun } from '../writer/run-rules.ts'
import { admitRun } from '../writer/run-rules.ts'
import type { GatewaySettings } from './context.ts'

/** The limits of an admission. `pendingPerDevice` applies to devices without their own limit. */
export interface AdmissionBounds extends AdmissionLimits {
  /** The oldest acceptable heartbeat. */
  readonly deviceOfflineBefore: Date
}

/** Limits of the requesting application (D-24). */
export interface AppLimits {
  /** Unfinished runs; null for the gateway's default. */
  readonly pendingLimit: number | null
}

export const admissionLimits = (settings: GatewaySettings, app: AppLimits, now: Date): AdmissionBounds => ({
  queuedPerConversation: settings.queuedPerConversation,
  pendingPerApp: app.pendingLimit ?? settings.pendingPerApp,
  pendingPerDevice: settings.pendingPerDevice,
  deviceOfflineBefore: new Date(now.getTime() - settings.deviceOfflineMs),
})

/**
 * Within this distance of a pending limit, an admission takes the limit's lock, so that batches are serialised. Farther
 * away, no lock is taken, and the counts omit uncommitted admissions of other batches. The limit is kept as long as
 * these are fewer than this number, over all processes.
 */
const PENDING_MARGIN = 128

/** The admission is so close to a pending limit of its application or device that it needs an exact count. */
export interface NearLimit {
  readonly kind: 'near_limit'
  readonly deviceId: string
}

/** An attachment was deleted since it was checked. */
export interface AttachmentGone {
  readonly kind: 'attachment_gone'
}

export interface AdmissionRequest {
  /** Default: the conversation's current generation. */
  readonly expectedGeneration: number | undefined
  readonly run: NewRun
  readonly limits: AdmissionBounds
  /** Whether the counts are exact, because the lock of the limits is held. */
  readonly exact: boolean
}

/** Checks the conditions of an admission in the order of D-07, from the generation on, and admits the message. */
export const decideAdmission = (
  open: OpenConversation,
  found: Findings,
  { expectedGeneration, run, limits, exact }: AdmissionRequest,
): Admitted<Admission> | Refusal | NearLimit | AttachmentGone => {
  const { row, draft } = open
  const { generation } = draft.work
  const state = admissionState(open, found, limits)
  const limitsHere = { ...limits, pendingPerDevice: row.pendingLimitOfDevice ?? limits.pendingPerDevice }
  // The change may have been queued since the request was checked, so the deadline is checked again.
  const refusal =
    refusePast(run.startBefore, draft.now) ?? refuseAdmission(state, expectedGeneration ?? generation, limitsHere)
  if (refusal !== null) return refusal
  if (!exact && isNearLimit(state, limitsHere)) return { kind: 'near_limit', deviceId: row.deviceId }
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

/** The reads of an admission. */
export const admissionReads = (
  tenant: { readonly appId: string; readonly subject: string },
  resourceIds: readonly string[],
): Change<unknown>['reads'] => ({
  pending: true,
  ...(resourceIds.length === 0 ? {} : { attachments: { tenant, resourceIds } }),
})

const isNearLimit = ({ pendingOfApp, pendingOfDevice }: AdmissionState, limits: AdmissionLimits): boolean =>
  pendingOfApp >= limits.pendingPerApp - PENDING_MARGIN || pendingOfDevice >= limits.pendingPerDevice - PENDING_MARGIN

/** The state that decides an admission, read under the locks of this batch. */
const admissionState = (
  open: OpenConversation,
  { pending }: Findings,
  { deviceOfflineBefore }: AdmissionBounds,
): AdmissionState => {
  const { row, draft } = open
  const isSilent = row.heartbeatAt === null || row.heartbeatAt <= deviceOfflineBefore
  return {
    work: draft.work,
    breakingVersion: row.breakingVersion,
    queuedRuns: countQueued(open),
    pendingOfApp: pending.ofApp(row.appId),
    pendingOfDevice: pending.ofDevice(row.deviceId),
    device: row.deviceState === 'active' ? (isSilent ? 'offline' : 'ready') : row.deviceState,
    isPaused: row.admissionPaused,
  }
}
