import { messageJson } from '../../../openapi/src/behaviour/message-record.ts'
import { conversationRecord, snapshotRecord } from '../../../openapi/src/behaviour/records.ts'
import { notFound } from '../../../openapi/src/behaviour/refusal.ts'
import { BUSINESS_KEY_TAKEN } from '../../../openapi/src/behaviour/requests/refused-requests.ts'
import { fitSnapshot, snapshotJson } from '../../../openapi/src/behaviour/snapshot-budget.ts'
import { LIMITS } from '../generated/limits.ts'
import type { Handler } from './handler.ts'
import { once } from './idempotency.ts'
import { answer, rawJson } from './respond.ts'
import { createWakeUp, findConversation, type GatewayState, type StoredConversation } from './state.ts'

export const createConversation: Handler<'createConversation'> = (state, request) => {
  const { subject, body } = request
  const { endpoint_id, conversation_key = null } = body
  if (!state.isEndpoint(endpoint_id)) return notFound('service')
  return once(state, request, () => {
    if (findByKey(state, subject, endpoint_id, conversation_key) !== undefined) return BUSINESS_KEY_TAKEN
    const conversation = newConversation(state, subject, endpoint_id, conversation_key)
    state.conversations.set(conversation.conversationId, conversation)
    return answer(201, conversationRecord(conversation))
  })
}

/** The conversation of a business key, which is unique for each subject and service. */
export const findByKey = (
  state: GatewayState,
  subject: string,
  endpointId: string,
  key: string | null,
): StoredConversation | undefined =>
  conversationsOf(state, subject).find(
    ({ endpointId: ofService, businessKey }) => key !== null && ofService === endpointId && businessKey === key,
  )

/** A new conversation that is not stored yet. */
export const newConversation = (
  state: GatewayState,
  subject: string,
  endpointId: string,
  businessKey: string | null,
): StoredConversation => ({
  conversationId: state.newId('conv'),
  ownerId: 'owner_test',
  appId: 'app_test',
  subject,
  endpointId,
  deviceId: 'dev_test',
  publishedVersion: 1,
  bindingVersion: 1,
  deviceAway: false,
  generation: 1,
  businessKey,
  state: 'active',
  createdAt: state.now(),
  lastCursor: 0,
  messages: [],
  runs: [],
  operations: [],
  events: [],
  wakeUp: createWakeUp(),
  prunedSeq: 0,
  pings: 0,
  stops: 0,
})

/**
 * The subject's conversations, newest first. The list is per device (D-13), and all services share one device. With
 * `conversation_key`, only the service's conversation of that key.
 */
export const listConversations: Handler<'listConversations'> = (state, { subject, query }) => {
  if (!state.isEndpoint(query.endpoint_id)) return notFound('service')
  const { endpoint_id, conversation_key: key } = query
  const newest = conversationsOf(state, subject).reverse()
  const last = newest.findIndex(({ conversationId }) => conversationId === query.before)
  if (query.before !== undefined && last < 0) return notFound('conversation')
  const older = newest
    .slice(last + 1)
    .filter(({ endpointId, businessKey }) => key === undefined || (endpointId === endpoint_id && businessKey === key))
  const page = older.slice(0, pageSize(query))
  return answer(200, { conversations: page.map(conversationRecord) })
}

export const getConversation: Handler<'getConversation'> = (state, { subject, ids }) => {
  const conversation = findConversation(state, subject, ids.conversation_id)
  if (conversation === undefined) return notFound('conversation')
  const { conversationId, generation, events, messages, runs } = conversation
  const snapshot = snapshotRecord(conversationId, {
    generation,
    watermark: events.length,
    messages: messages.slice(-LIMITS.snapshotMessages),
    runs: runs.slice(-LIMITS.snapshotRuns).map((run) => ({ ...run, hasResult: run.result !== null })),
  })
  return rawJson(200, snapshotJson(fitSnapshot(snapshot, LIMITS.snapshotBytes)))
}

/** A page of messages, oldest first; the next older page uses the smallest cursor as `before`. */
export const listMessages: Handler<'listMessages'> = (state, { subject, ids, query }) => {
  const conversation = findConversation(state, subject, ids.conversation_id)
  if (conversation === undefined) return notFound('conversation')
  const { before = Infinity, generation } = query
  const wanted = conversation.messages.filter(
    (message) => message.cursor < before && (generation === undefined || message.generation === generation),
  )
  return rawJson(200, `{"messages":[${wanted.slice(-pageSize(query)).map(messageJson).join()}]}`)
}

const pageSize = ({ limit }: { readonly limit: number }): number => Math.min(limit, LIMITS.pageRecords)

const conversationsOf = (state: GatewayState, subject: string): StoredConversation[] =>
  [...state.conversations.values()].filter((conversation) => conversation.subject === subject)
