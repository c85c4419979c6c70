import type { Admission, CreateRun, MessageInput, SendMessage } from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'
import { addConversation, findByKey } from './conversations.ts'
import type { Intention } from './idempotency.ts'
import { once } from './idempotency.ts'
import type { Outcome, RawAnswer, Refusal } from './outcome.ts'
import { answer, notFound, refuse, refuseFaults } from './outcome.ts'
import { refuseUnusable } from './resources.ts'
import { admitRun, advance } from './runs.ts'
import type { GatewayState, StoredConversation } from './state.ts'
import { findConversation } from './state.ts'
import { resetting, staleGeneration } from './stop-work.ts'

export const sendMessage = (state: GatewayState, intention: Intention<SendMessage>): Outcome<Admission> | RawAnswer => {
  const { subject, ids, body } = intention
  const conversation = findConversation(state, subject, ids.conversation_id)
  if (conversation === undefined) return notFound('conversation')
  return once(state, intention, () => {
    const startBeforeMs = startDeadline(state, body.start_before, LIMITS.messageStartMs)
    if (typeof startBeforeMs !== 'number') return startBeforeMs
    const refusal = refuseUnusable(state, subject, body.input) ?? refuseWork(conversation, body.expected_generation)
    return refusal ?? admit(state, conversation, body.input, startBeforeMs)
  })
}

/** A direct run, in the conversation of its key, found or created, or in a new one without a key (D-22). */
export const createRun = (state: GatewayState, intention: Intention<CreateRun>): Outcome<Admission> | RawAnswer => {
  const { subject, ids, body } = intention
  const { input, conversation_key, expected_generation } = body
  const endpointId = ids.endpoint_id ?? ''
  if (!state.isEndpoint(endpointId)) return notFound('service')
  return once(state, intention, () => {
    const startBeforeMs = startDeadline(state, body.start_before, LIMITS.directStartMs)
    if (typeof startBeforeMs !== 'number') return startBeforeMs
    const unusable = refuseUnusable(state, subject, input)
    if (unusable !== null) return unusable
    const existing = findByKey(state, subject, endpointId, conversation_key)
    if (existing === undefined && expected_generation !== undefined)
      return refuse(
        'GENERATION_CONFLICT',
        'This conversation_key has no conversation yet, so it has no generation to expect.',
      )
    const conversation = existing ?? addConversation(state, subject, endpointId, conversation_key)
    const refusal = refuseWork(conversation, expected_generation ?? conversation.record.generation)
    return refusal ?? admit(state, conversation, input, startBeforeMs)
  })
}

/** What in the conversation's state stands in the way of new work (D-07). */
const refuseWork = (conversation: StoredConversation, expectedGeneration: number): Refusal | null => {
  const { record, runs } = conversation
  if (record.generation !== expectedGeneration) return staleGeneration(conversation, expectedGeneration)
  if (record.state !== 'active') return resetting()
  const queued = runs.filter((run) => run.record.state === 'queued').length
  return queued < LIMITS.queuedRuns
    ? null
    : refuse('QUEUE_FULL', `The conversation has ${queued} queued runs, the most that may wait.`)
}

const admit = (
  state: GatewayState,
  conversation: StoredConversation,
  input: MessageInput,
  startBeforeMs: number,
): Outcome<Admission> => {
  const admission = admitRun(state, conversation, input, startBeforeMs)
  advance(state, conversation)
  return answer(202, admission)
}

/** The latest start, in milliseconds since 1970: what was asked for when it lies in the window. */
const startDeadline = (state: GatewayState, requested: string | undefined, windowMs: number): number | Refusal => {
  const nowMs = state.now().getTime()
  const latestMs = nowMs + windowMs
  const askedMs = requested === undefined ? latestMs : Date.parse(requested)
  const pointer = '/start_before'
  if (askedMs <= nowMs) return refuseFaults([{ pointer, message: 'must be later than now' }])
  if (askedMs > latestMs)
    return refuseFaults([{ pointer, message: `must be at most ${windowMs / 60_000} minutes from now` }])
  return askedMs
}
