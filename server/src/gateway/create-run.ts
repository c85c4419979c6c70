import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { startDeadline } from '@conversation-gateway/openapi/behaviour/start-deadline'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import type { TakenRun } from '../domain/message-input.ts'
import { admit, lockPendingLimits, PENDING_MARGIN, readAdmissionConditions } from '../store/admission.ts'
import type { StoredConversation } from '../store/conversations.ts'
import { BUSINESS_KEY, insertConversation, lockConversationByKey } from '../store/conversations.ts'
import type { Tx } from '../store/db.ts'
import { UniqueViolation } from '../store/db.ts'
import type { PublishedEndpoint } from '../store/endpoints.ts'
import { findPublishedEndpoint } from '../store/endpoints.ts'
import type { GatewayContext } from './context.ts'
import { newConversation } from './create-conversation.ts'
import type { IdempotentRequest } from './idempotent.ts'
import { executeRecorded, findReplay } from './idempotent.ts'
import type { AppLimits } from './send-message.ts'
import {
  admissionLimits,
  admissionRecord,
  announceAdmission,
  diagnose,
  newAdmission,
  refuseAttachments,
} from './send-message.ts'

/** Creates a run directly (202, D-22): in the conversation of its key, found or created, or in a new one without a key. */
export const createRun = async (
  context: GatewayContext,
  tenant: Tenant,
  app: AppLimits,
  endpointId: string,
  request: IdempotentRequest,
  body: TakenRun,
  startWindowMs: number = LIMITS.directStartMs,
): Promise<Admitted<Admission> | Refusal> => {
  const { db, clock, settings } = context
  const now = clock.now()
  if (body.expected_generation !== undefined && body.conversation_key === undefined)
    return refuse('INVALID_REQUEST', 'expected_generation needs a conversation_key.', {
      faults: [{ pointer: '/expected_generation', message: 'needs a conversation_key' }],
    })
  const endpoint = await findPublishedEndpoint(db, tenant, endpointId)
  if (endpoint === null) return notFound('service')
  const replay = await findReplay<Admission>(db, tenant, request)
  if (replay !== null) return replay
  const startBefore = startDeadline(body.start_before, now, startWindowMs)
  if (!(startBefore instanceof Date)) return startBefore

  const limits = admissionLimits(settings, app, now)
  const execute = (margin: number) =>
    executeRecorded<Admission>(db, tenant, request, async (tx) => {
      if (margin === 0) await lockPendingLimits(tx, tenant, endpoint.deviceId)
      const conversation = await findOrCreate(tx, tenant, endpoint, body, now)
      if ('kind' in conversation) return conversation
      const { conversationId, generation } = conversation
      const unusable = await refuseAttachments(tx, tenant, conversationId, body.input)
      if (unusable !== null) return unusable
      const admission = newAdmission({
        tenant,
        conversationId,
        expectedGeneration: body.expected_generation ?? generation,
        input: body.input,
        startBefore,
        request,
        now,
      })
      const row = await admit(tx, tenant, now, admission, limits, margin)
      if (row !== null) return { status: 202, body: admissionRecord(admission, row) }
      const conditions = await readAdmissionConditions(tx, tenant, conversationId)
      return (conditions && diagnose(conditions, admission.expectedGeneration, limits)) ?? NEAR_LIMIT
    })
  const executeFound = (margin: number) =>
    execute(margin).catch((error: unknown) => {
      // Another request has just created the conversation of this key: it is there to be found now.
      if (error instanceof UniqueViolation && error.constraint === BUSINESS_KEY) return execute(margin)
      throw error
    })
  const first = await executeFound(PENDING_MARGIN)
  const outcome = first === NEAR_LIMIT ? await executeFound(0) : first
  if (outcome.kind === 'admitted' && !outcome.replayed) {
    const { conversation_id, event_cursor } = outcome.body
    announceAdmission(context, tenant, conversation_id, { eventCursor: event_cursor, deviceId: endpoint.deviceId })
  }
  return outcome
}

/** No condition stands in the way, but a pending limit is so near that the admission has to take its lock. */
const NEAR_LIMIT = refuse('CAPABILITY_UNAVAILABLE', 'The conversation is changing too fast; try again.', {
  retryAfterSeconds: 1,
})

const findOrCreate = async (
  tx: Tx,
  tenant: Tenant,
  endpoint: PublishedEndpoint,
  body: TakenRun,
  now: Date,
): Promise<StoredConversation | Refusal> => {
  if (body.conversation_key !== undefined) {
    const existing = await lockConversationByKey(tx, tenant, endpoint.endpointId, body.conversation_key)
    if (existing !== null) return existing
    if (body.expected_generation !== undefined)
      return refuse(
        'GENERATION_CONFLICT',
        'This conversation_key has no conversation yet, so it has no generation to expect.',
      )
  }
  const conversation = newConversation(tenant, endpoint, body.conversation_key ?? null, now)
  await insertConversation(tx, conversation)
  return conversation
}
