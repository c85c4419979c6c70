import { ADMISSION_PAUSED } from '@conversation-gateway/openapi/behaviour/admission'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { conversationRecord } from '@conversation-gateway/openapi/behaviour/records'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound } from '@conversation-gateway/openapi/behaviour/refusal'
import { BUSINESS_KEY_TAKEN } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Conversation, CreateConversation } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { StoredConversation } from '../store/conversations.ts'
import { BUSINESS_KEY_CONSTRAINT, insertConversation } from '../store/conversations.ts'
import { UniqueViolation } from '../store/db.ts'
import type { PublishedEndpoint } from '../store/endpoints.ts'
import { findPublishedEndpoint } from '../store/endpoints.ts'
import type { IdempotentRequest } from '../writer/idempotency.ts'
import type { GatewayContext } from './context.ts'
import { executeOnce, findReplay } from './idempotent.ts'

/**
 * Creates a conversation (201), bound to the service's published version. A business key that already has one is BUSY
 * (409). It needs no device, because it is not work (D-43), but the operator's pause of admission refuses it (503).
 */
export const createConversation = async (
  { db, clock }: GatewayContext,
  tenant: Tenant,
  request: IdempotentRequest,
  body: CreateConversation,
): Promise<Admitted<Conversation> | Refusal> => {
  const now = clock.now()
  const endpoint = await findPublishedEndpoint(db, tenant, body.endpoint_id)
  if (endpoint === null) return notFound('service')
  try {
    return await executeOnce<Conversation>(db, tenant, request, now, async (tx) => {
      const conversation = newConversation(tenant, endpoint, body.conversation_key ?? null, now)
      await insertConversation(tx, conversation)
      if (endpoint.admissionPaused) return ADMISSION_PAUSED
      return { status: 201, body: conversationRecord(conversation) }
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation && error.constraint === BUSINESS_KEY_CONSTRAINT)) throw error
    // An equal request may have created it between look-up and insert.
    const replay = await findReplay<Conversation>(db, tenant, request)
    return replay ?? BUSINESS_KEY_TAKEN
  }
}

export const newConversation = (
  { appId, subject }: Tenant,
  endpoint: PublishedEndpoint,
  businessKey: string | null,
  now: Date,
): StoredConversation => ({
  conversationId: newId('conv', now),
  ownerId: endpoint.ownerId,
  appId,
  subject,
  endpointId: endpoint.endpointId,
  deviceId: endpoint.deviceId,
  bindingVersion: endpoint.publishedVersion,
  generation: 1,
  businessKey,
  state: 'active',
  createdAt: now,
})
