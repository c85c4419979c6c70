import { attachmentFaults } from '@conversation-gateway/openapi/behaviour/attachments'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { startDeadline } from '@conversation-gateway/openapi/behaviour/start-deadline'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import type { TakenInput, TakenMessage } from '../domain/message-input.ts'
import type { AdmissionConditions, AdmissionLimits, AdmittedRow, NewAdmission } from '../store/admission.ts'
import { admit, lockPendingLimits, PENDING_MARGIN, readAdmissionConditions } from '../store/admission.ts'
import type { Queryable } from '../store/db.ts'
import { UniqueViolation } from '../store/db.ts'
import { IDEMPOTENCY_KEY } from '../store/idempotency.ts'
import { readAttachmentConditions } from '../store/resources.ts'
import type { GatewayContext, GatewaySettings } from './context.ts'
import type { IdempotentRequest } from './idempotent.ts'
import { findReplay, findUnanswered, ownerOfKey } from './idempotent.ts'

/** Limits that belong to the application that asks (D-24). */
export interface AppLimits {
  /** Unfinished runs; null for the gateway's default. */
  readonly pendingLimit: number | null
}

/**
 * Admits a message as a queued run (202). One statement decides and writes everything; only when that finds a
 * condition unmet are the reasons read, in the order of D-07: ownership, replay, deadline, attachments, generation,
 * BUSY, limits, availability.
 */
export const sendMessage = (
  context: GatewayContext,
  tenant: Tenant,
  app: AppLimits,
  conversationId: string,
  request: IdempotentRequest,
  body: TakenMessage,
): Promise<Admitted<Admission> | Refusal> =>
  admitMessage(context, tenant, app, conversationId, request, body).catch((error: unknown) =>
    findUnanswered<Admission>(context.db, tenant, request, error),
  )

const admitMessage = async (
  context: GatewayContext,
  tenant: Tenant,
  app: AppLimits,
  conversationId: string,
  request: IdempotentRequest,
  body: TakenMessage,
): Promise<Admitted<Admission> | Refusal> => {
  const { db, clock, settings } = context
  const now = clock.now()
  const startBefore = startDeadline(body.start_before, now, LIMITS.messageStartMs)
  const unusable = 'kind' in startBefore ? startBefore : await refuseAttachments(db, tenant, conversationId, body.input)
  const limits = admissionLimits(settings, app, now)
  const { input, expected_generation: expectedGeneration } = body
  const intended = { tenant, conversationId, expectedGeneration, input, request, now }

  if (unusable === null && startBefore instanceof Date) {
    const admission = newAdmission({ ...intended, startBefore })
    const row = await admitOnce(db, tenant, now, admission, limits, PENDING_MARGIN)
    if (row !== null) return admitted(context, tenant, admission, row)
  }

  const conditions = await readAdmissionConditions(db, tenant, conversationId)
  if (conditions === null) return notFound('conversation')
  const replay = await findReplay<Admission>(db, tenant, request)
  if (replay !== null) return replay
  if (unusable !== null) return unusable
  const refusal = diagnose(conditions, body.expected_generation, limits)
  if (refusal !== null) return refusal
  if (!(startBefore instanceof Date)) return startBefore

  // Near a pending limit, or what stood in the way has just gone: once more, alone.
  const admission = newAdmission({ ...intended, startBefore })
  const outcome = await db
    .transaction(async (tx) => {
      await lockPendingLimits(tx, tenant, conditions.deviceId)
      const row = await admit(tx, tenant, now, admission, limits, 0)
      return row ?? readAdmissionConditions(tx, tenant, conversationId)
    })
    .catch((error: unknown) => {
      if (isKeyUsed(error)) return null
      throw error
    })
  if (outcome !== null && 'eventCursor' in outcome) return admitted(context, tenant, admission, outcome)
  return (
    (await findReplay<Admission>(db, tenant, request)) ??
    (await refuseAttachments(db, tenant, conversationId, body.input)) ??
    (outcome === null ? null : diagnose(outcome, body.expected_generation, limits)) ??
    refuse('CAPABILITY_UNAVAILABLE', 'The conversation is changing too fast; try again.', { retryAfterSeconds: 1 })
  )
}

export const admissionLimits = (settings: GatewaySettings, app: AppLimits, now: Date): AdmissionLimits => ({
  queuedPerConversation: settings.queuedPerConversation,
  pendingPerApp: app.pendingLimit ?? settings.pendingPerApp,
  pendingPerDevice: settings.pendingPerDevice,
  deviceOfflineBefore: new Date(now.getTime() - settings.deviceOfflineMs),
})

/** What a message asks for, and when. */
export interface AdmissionRequest {
  readonly tenant: Tenant
  readonly conversationId: string
  readonly expectedGeneration: number
  readonly input: TakenInput
  readonly startBefore: Date
  readonly request: IdempotentRequest
  readonly now: Date
}

export const newAdmission = ({
  tenant,
  conversationId,
  expectedGeneration,
  input,
  startBefore,
  request,
  now,
}: AdmissionRequest): NewAdmission => ({
  conversationId,
  expectedGeneration,
  messageId: newId('msg', now),
  runId: newId('run', now),
  eventId: newId('evt', now),
  text: input.text ?? null,
  data: input.data ?? null,
  resourceIds: input.resource_ids ?? [],
  startBefore,
  idempotencyScope: ownerOfKey(tenant, request).subject,
  idempotencyKey: request.key,
  fingerprint: request.fingerprint,
})

const admitOnce = async (
  db: Queryable,
  tenant: Tenant,
  now: Date,
  admission: NewAdmission,
  limits: AdmissionLimits,
  margin: number,
): Promise<AdmittedRow | null> => {
  try {
    return await admit(db, tenant, now, admission, limits, margin)
  } catch (error) {
    if (isKeyUsed(error)) return null
    throw error
  }
}

const isKeyUsed = (error: unknown): boolean => error instanceof UniqueViolation && error.constraint === IDEMPOTENCY_KEY

const admitted = (
  context: GatewayContext,
  tenant: Tenant,
  admission: NewAdmission,
  row: AdmittedRow,
): Admitted<Admission> => {
  announceAdmission(context, tenant, admission.conversationId, row)
  return { kind: 'admitted', status: 202, body: admissionRecord(admission, row), replayed: false }
}

export const announceAdmission = (
  { wakeups }: GatewayContext,
  { appId }: Tenant,
  conversationId: string,
  row: AdmittedRow,
): void => {
  wakeups.conversationChanged({ appId, conversationId })
  wakeups.workAdmitted(row.deviceId)
}

export const admissionRecord = (admission: NewAdmission, row: AdmittedRow): Admission => ({
  conversation_id: admission.conversationId,
  generation: admission.expectedGeneration,
  message_id: admission.messageId,
  run_id: admission.runId,
  state: 'queued',
  event_cursor: row.eventCursor,
})

/** Whether attachments of an input cannot be used in the conversation; each is named by its place (D-33). */
export const refuseAttachments = async (
  db: Queryable,
  tenant: Tenant,
  conversationId: string,
  { resource_ids: resourceIds = [] }: TakenInput,
): Promise<Refusal | null> => {
  if (resourceIds.length === 0) return null
  const conditions = await readAttachmentConditions(db, tenant, conversationId, resourceIds)
  const faults = conditions === null ? [] : attachmentFaults(resourceIds, conditions.known, conditions.accepts)
  return faults.length === 0 ? null : refuse('INVALID_REQUEST', 'An attachment cannot be used.', { faults })
}

/** The answer while the operator has paused admission as a whole (D-46). */
export const ADMISSION_PAUSED = refuse('CAPABILITY_UNAVAILABLE', 'Admission is paused by the operator.', {
  retryAfterSeconds: 30,
})

/** The first condition, in the order of D-07, that stands in the way of an admission now. */
export const diagnose = (
  conditions: AdmissionConditions,
  expectedGeneration: number,
  limits: AdmissionLimits,
): Refusal | null => {
  const c = conditions
  if (c.generation !== expectedGeneration)
    return refuse(
      'GENERATION_CONFLICT',
      `expected_generation is ${expectedGeneration}, the conversation is at ${c.generation}. Reload the snapshot.`,
    )
  if (c.bindingVersion < c.breakingVersion)
    return refuse(
      'GENERATION_CONFLICT',
      'The service was published with a breaking change; reset the conversation to adopt it.',
    )
  if (c.state !== 'active') return refuse('BUSY', 'The conversation is being reset; query that operation.')
  if (c.queuedRuns >= limits.queuedPerConversation)
    return refuse('QUEUE_FULL', `The conversation has ${c.queuedRuns} queued runs, the most that may wait.`, {
      retryAfterSeconds: 2,
    })
  if (c.pendingOfApp >= limits.pendingPerApp)
    return refuse(
      'PENDING_LIMIT',
      `The application has ${c.pendingOfApp} unfinished runs, the most that it may have.`,
      {
        retryAfterSeconds: 2,
      },
    )
  if (c.pendingOfDevice >= (c.pendingLimitOfDevice ?? limits.pendingPerDevice))
    return refuse('PENDING_LIMIT', 'The device has as many unfinished runs as it may have.', { retryAfterSeconds: 2 })
  if (c.deviceState === 'disabled') return refuse('PERMISSION_DENIED', 'The device of this service is disabled.')
  if (c.admissionPaused) return ADMISSION_PAUSED
  if (c.deviceState === 'paused')
    return refuse('CAPABILITY_UNAVAILABLE', 'The device of this service is paused.', { retryAfterSeconds: 30 })
  if (c.heartbeatAt === null || c.heartbeatAt <= limits.deviceOfflineBefore)
    return refuse('CAPABILITY_UNAVAILABLE', 'The device of this service is offline.', { retryAfterSeconds: 10 })
  return null
}
