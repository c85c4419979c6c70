import { refuseAdmission } from '../../../openapi/src/behaviour/admission.ts'
import { emitRunEvent, queuedRun } from '../../../openapi/src/behaviour/conversation-work.ts'
import { operationRecord, runRecord } from '../../../openapi/src/behaviour/records.ts'
import { generationConflict, notFound, type Refusal } from '../../../openapi/src/behaviour/refusal.ts'
import { NO_GENERATION_YET } from '../../../openapi/src/behaviour/requests/refused-requests.ts'
import { startDeadline } from '../../../openapi/src/behaviour/start-deadline.ts'
import * as rules from '../../../openapi/src/behaviour/stop-work.ts'
import type { Admission, Control, MessageInput } from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'
import { change } from './change.ts'
import { findByKey, newConversation } from './conversations.ts'
import type { Handler } from './handler.ts'
import { once } from './idempotency.ts'
import { replySteps } from './replies.ts'
import { refuseUnusable } from './resources.ts'
import { answer, type Outcome } from './respond.ts'
import { advance } from './runs.ts'
import { findConversation, findRun, type GatewayState, type StoredConversation, type StoredRun } from './state.ts'

export const sendMessage: Handler<'sendMessage'> = (state, request) => {
  const { subject, ids, body } = request
  const conversation = findConversation(state, subject, ids.conversation_id)
  if (conversation === undefined) return notFound('conversation')
  return once(state, request, () => {
    const startBefore = startDeadline(body.start_before, state.now(), LIMITS.messageStartMs)
    if (!(startBefore instanceof Date)) return startBefore
    const unusable = refuseUnusable(state, subject, body.input)
    return unusable ?? admit(state, conversation, body.expected_generation, body.input, startBefore)
  })
}

/**
 * A direct run: in the conversation of its key, which is created if needed, or without a key in a new conversation
 * (D-22).
 */
export const createRun: Handler<'createRun'> = (state, request) => {
  const { subject, body } = request
  const { input, conversation_key = null, expected_generation } = body
  const endpointId = request.ids.endpoint_id
  if (!state.isEndpoint(endpointId)) return notFound('service')
  return once(state, request, () => {
    const startBefore = startDeadline(body.start_before, state.now(), LIMITS.directStartMs)
    if (!(startBefore instanceof Date)) return startBefore
    const unusable = refuseUnusable(state, subject, input)
    if (unusable !== null) return unusable
    const existing = findByKey(state, subject, endpointId, conversation_key)
    if (existing === undefined && expected_generation !== undefined) return NO_GENERATION_YET
    const conversation = existing ?? newConversation(state, subject, endpointId, conversation_key)
    return admit(state, conversation, expected_generation ?? conversation.generation, input, startBefore)
  })
}

/** Admits an input as a queued run. The admission is the run's first event, whose seq is the cursor (D-26). */
const admit = (
  state: GatewayState,
  conversation: StoredConversation,
  expectedGeneration: number,
  input: MessageInput,
  startBefore: Date,
): Outcome<Admission> => {
  const refusal = refuseWork(conversation, expectedGeneration)
  if (refusal !== null) return refusal
  const run = addRun(state, conversation, input, startBefore)
  const { conversationId: conversation_id, generation, messageId: message_id, runId: run_id } = run
  const event_cursor = conversation.events.length
  advance(state, conversation)
  return answer(202, { conversation_id, generation, message_id, run_id, state: 'queued', event_cursor })
}

/** Every service has one version, the only device is always reachable, and only the queue has a limit. */
const refuseWork = (work: StoredConversation, expectedGeneration: number): Refusal | null =>
  refuseAdmission(
    {
      work,
      breakingVersion: work.bindingVersion,
      queuedRuns: work.runs.filter((run) => run.state === 'queued').length,
      pendingOfApp: 0,
      pendingOfDevice: 0,
      device: 'ready',
      isPaused: false,
    },
    expectedGeneration,
    { queuedPerConversation: LIMITS.queuedRuns, pendingPerApp: Infinity, pendingPerDevice: Infinity },
  )

const addRun = (
  state: GatewayState,
  conversation: StoredConversation,
  input: MessageInput,
  startBefore: Date,
): StoredRun => {
  const { conversationId, generation, runs } = conversation
  const createdAt = state.now()
  const ids = { conversationId, generation, messageId: state.newId('msg'), runId: state.newId('run') }
  const { text = null, data, resource_ids = null } = input
  // A test's reply may throw, so it is called before anything is written.
  const [reply = state.defaultReply] = state.replies
  const steps = replySteps(reply, input)
  state.replies.shift()
  const run: StoredRun = {
    ...queuedRun({ ...ids, position: runs.length, startBefore }),
    conversationId,
    createdAt,
    updatedAt: createdAt,
    resourceIds: resource_ids ?? [],
    steps,
    deltas: 0,
  }
  // A direct run creates its conversation.
  state.conversations.set(conversationId, conversation)
  conversation.lastCursor += 1
  conversation.messages.push({
    ...ids,
    cursor: conversation.lastCursor,
    role: 'user',
    text,
    data: data === undefined ? null : JSON.stringify(data),
    resourceIds: resource_ids,
    activities: [],
    partial: false,
    createdAt,
  })
  runs.push(run)
  change(state, conversation, (draft) =>
    emitRunEvent(draft, run, 'run.updated', { state: run.state, delivery_state: run.deliveryState }),
  )
  return run
}

export const getRun: Handler<'getRun'> = (state, { subject, ids }) => {
  const found = findRun(state, subject, ids.run_id)
  return found === undefined ? notFound('run') : answer(200, runRecord(found.run))
}

export const getOperation: Handler<'getOperation'> = (state, { subject, ids }) => {
  for (const conversation of state.conversations.values()) {
    const operation = conversation.operations.find(({ operationId }) => operationId === ids.operation_id)
    if (operation !== undefined && conversation.subject === subject)
      return answer(200, operationRecord({ ...conversation, ...operation }))
  }
  return notFound('operation')
}

export const cancelRun: Handler<'cancelRun'> = (state, request) => {
  const found = findRun(state, request.subject, request.ids.run_id)
  if (found === undefined) return notFound('run')
  const { conversation, run } = found
  return once(state, request, () =>
    stop(state, conversation, (draft) => rules.cancelRun(draft, run.runId, state.newId('op'))),
  )
}

export const resetConversation: Handler<'resetConversation'> = (state, request) => {
  const { expected_generation, busy_policy = 'reject' } = request.body
  const conversation = findConversation(state, request.subject, request.ids.conversation_id)
  if (conversation === undefined) return notFound('conversation')
  return once(state, request, () =>
    conversation.generation === expected_generation
      ? stop(state, conversation, (draft) => rules.resetConversation(draft, busy_policy, state.newId('op')))
      : generationConflict(expected_generation, conversation.generation),
  )
}

/** Answers with the operation in its state before the device confirms the stop, so that clients must poll. */
const stop = (
  state: GatewayState,
  conversation: StoredConversation,
  rule: Parameters<typeof change<ReturnType<typeof rules.resetConversation>>>[2],
): Outcome<Control> => {
  const operation = change(state, conversation, rule)
  if (operation.kind === 'refused') return operation
  const control = operationRecord({ ...conversation, ...operation })
  advance(state, conversation)
  return answer(202, control)
}
