import { notFound, refuse } from '../behaviour/refusal.ts'
import type {
  Conversation,
  ConversationList,
  CreateConversation,
  MessageList,
  Snapshot,
  SnapshotRun,
} from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'
import type { Call } from './call.ts'
import type { Intention } from './idempotency.ts'
import { once } from './idempotency.ts'
import type { Outcome, RawAnswer } from './outcome.ts'
import { answer, refuseFaults } from './outcome.ts'
import { readPage } from './query.ts'
import type { GatewayState, StoredConversation, StoredRun } from './state.ts'
import { createStoredConversation, findConversation, timestamp } from './state.ts'

export const createConversation = (
  state: GatewayState,
  intention: Intention<CreateConversation>,
): Outcome<Conversation> | RawAnswer => {
  const { subject, body } = intention
  if (!state.isEndpoint(body.endpoint_id)) return notFound('service')
  return once(state, intention, () => {
    const { endpoint_id, conversation_key } = body
    if (findByKey(state, subject, endpoint_id, conversation_key) !== undefined)
      return refuse('BUSY', 'This conversation_key is taken for this subject and service; use that conversation.', {
        faults: [{ pointer: '/conversation_key', message: 'is in use' }],
      })
    return answer(201, addConversation(state, subject, endpoint_id, conversation_key).record)
  })
}

/** The conversation of a business key, which is unique to a subject and service. */
export const findByKey = (
  state: GatewayState,
  subject: string,
  endpointId: string,
  key: string | undefined,
): StoredConversation | undefined =>
  key === undefined
    ? undefined
    : conversationsOf(state, subject).find(
        ({ record }) => record.endpoint_id === endpointId && record.business_key === key,
      )

export const addConversation = (
  state: GatewayState,
  subject: string,
  endpointId: string,
  key: string | undefined,
): StoredConversation => {
  const conversation = createStoredConversation({
    conversation_id: state.newId('conv'),
    owner_id: 'owner_test',
    app_id: 'app_test',
    subject,
    endpoint_id: endpointId,
    binding_version: 1,
    generation: 1,
    ...(key === undefined ? {} : { business_key: key }),
    state: 'active',
    created_at: timestamp(state),
  })
  state.conversations.set(conversation.record.conversation_id, conversation)
  return conversation
}

/** All of the subject's conversations, newest first: the services share one device, which the list goes by (D-13). */
export const listConversations = (state: GatewayState, { subject, query }: Call): Outcome<ConversationList> => {
  const endpointId = query.get('endpoint_id')
  const page = readPage(query)
  if (endpointId === null) return refuseFaults([{ pointer: 'endpoint_id', message: 'is required' }])
  if ('kind' in page) return page
  if (!state.isEndpoint(endpointId)) return notFound('service')
  const records = conversationsOf(state, subject)
    .map(({ record }) => record)
    .reverse()
  const before = query.get('before')
  const last = records.findIndex(({ conversation_id }) => conversation_id === before)
  if (before !== null && last < 0) return notFound('conversation')
  return answer(200, { conversations: records.slice(last + 1, last + 1 + page.limit) })
}

export const getConversation = (state: GatewayState, { subject, ids }: Call): Outcome<Snapshot> => {
  const conversation = findConversation(state, subject, ids.conversation_id)
  if (conversation === undefined) return notFound('conversation')
  const { record, events, messages, runs } = conversation
  return answer(200, {
    conversation_id: record.conversation_id,
    generation: record.generation,
    watermark: events.length,
    messages: messages.slice(-LIMITS.snapshotMessages),
    runs: runs.slice(-LIMITS.snapshotRuns).map(snapshotRun),
  })
}

/** A page of messages, oldest first; the next older page uses the smallest cursor as `before`. */
export const listMessages = (state: GatewayState, { subject, ids, query }: Call): Outcome<MessageList> => {
  const page = readPage(query, ['before', 'generation'])
  if ('kind' in page) return page
  const conversation = findConversation(state, subject, ids.conversation_id)
  if (conversation === undefined) return notFound('conversation')
  const { before = Number.POSITIVE_INFINITY, generation } = page.values
  const wanted = conversation.messages.filter(
    (message) => message.cursor < before && (generation === undefined || message.generation === generation),
  )
  return answer(200, { messages: wanted.slice(-page.limit) })
}

const conversationsOf = (state: GatewayState, subject: string): StoredConversation[] =>
  [...state.conversations.values()].filter(({ record }) => record.subject === subject)

const snapshotRun = ({ record }: StoredRun): SnapshotRun => ({
  run_id: record.run_id,
  generation: record.generation,
  state: record.state,
  device_received: record.delivery_state === 'device_received',
  result: record.result,
  result_available: record.result !== null,
})
