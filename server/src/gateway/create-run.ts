import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { NO_GENERATION_YET } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import { startDeadline } from '@conversation-gateway/openapi/behaviour/start-deadline'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import type { TakenRun } from '../domain/message-input.ts'
import type { StoredConversation } from '../store/conversations.ts'
import { BUSINESS_KEY_CONSTRAINT, insertConversation, lockConversationByKey } from '../store/conversations.ts'
import type { Tx } from '../store/db.ts'
import { UniqueViolation } from '../store/db.ts'
import type { PublishedEndpoint } from '../store/endpoints.ts'
import { findPublishedEndpoint } from '../store/endpoints.ts'
import { lockPendingLimits } from '../store/pending-runs.ts'
import type { IdempotentRequest } from '../writer/idempotency.ts'
import { changeOnce } from '../writer/idempotency.ts'
import type { WrittenChange } from './change-work.ts'
import { announceChange, writeWithin } from './change-work.ts'
import type { GatewayContext } from './context.ts'
import { newConversation } from './create-conversation.ts'
import type { AppLimits, NearLimit } from './decide-admission.ts'
import { admissionLimits, admissionReads, decideAdmission } from './decide-admission.ts'
import { executeRecorded, findReplay } from './idempotent.ts'
import { CHANGING, newRun, refuseAttachments } from './send-message.ts'
import { refuseInput } from './service-schemas.ts'

export interface RunToCreate {
  readonly app: AppLimits
  readonly endpointId: string
  readonly body: TakenRun
  /** How long the run may wait for its start if the body has no deadline. Default: the window of direct runs (D-22). */
  readonly startWindowMs?: number
}

/**
 * Creates a run directly (202, D-22). With a `conversation_key` the run uses the conversation of that key, which is
 * created if needed; without one it gets a new conversation.
 */
export const createRun = async (
  context: GatewayContext,
  tenant: Tenant,
  request: IdempotentRequest,
  { app, endpointId, body, startWindowMs = LIMITS.directStartMs }: RunToCreate,
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
  const run = newRun(body.input, startBefore, request.traceparent, now)
  let written: WrittenChange | undefined
  const execute = (withExactCounts: boolean) =>
    executeRecorded<Admission, NearLimit>(db, tenant, request, async (tx) => {
      if (withExactCounts) await lockPendingLimits(tx, [{ appId: tenant.appId, deviceId: endpoint.deviceId }])
      const conversation = await findOrCreate(tx, tenant, endpoint, body, now)
      if ('kind' in conversation) return conversation
      const { conversationId, bindingVersion: version } = conversation
      const checks = await context.schemas.load(tx, { appId: tenant.appId, endpointId: endpoint.endpointId, version })
      const unusable =
        (await refuseAttachments(tx, tenant, conversationId, body.input)) ?? refuseInput(checks, body.input)
      if (unusable !== null) return unusable
      const admission = changeOnce(tenant, request, {
        conversation: { appId: tenant.appId, conversationId },
        reads: admissionReads(tenant, run.input.resourceIds),
        decide: (open, found) =>
          decideAdmission(open, found, {
            expectedGeneration: body.expected_generation,
            run,
            limits,
            exact: withExactCounts,
          }),
      })
      const change = await writeWithin(context, tx, admission)
      if (change === null || change.result === null) return notFound('conversation')
      if (change.result.kind === 'attachment_gone') return CHANGING
      written = change
      return change.result
    })
  const executeWithRetry = (withExactCounts: boolean) =>
    execute(withExactCounts).catch((error: unknown) => {
      // Another request has just created the conversation of this key, so look it up again.
      if (error instanceof UniqueViolation && error.constraint === BUSINESS_KEY_CONSTRAINT)
        return execute(withExactCounts)
      throw error
    })
  const first = await executeWithRetry(false)
  const outcome = first.kind === 'near_limit' ? await executeWithRetry(true) : first
  if (outcome.kind === 'near_limit') return CHANGING
  if (outcome.kind === 'admitted' && !outcome.replayed && written !== undefined) announceChange(written)
  return outcome
}

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
    if (body.expected_generation !== undefined) return NO_GENERATION_YET
  }
  const conversation = newConversation(tenant, endpoint, body.conversation_key ?? null, now)
  await insertConversation(tx, conversation)
  return conversation
}
