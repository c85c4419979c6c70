import { refuseAdmission } from '../behaviour/admission.ts'
import type { Refusal } from '../behaviour/refusal.ts'
import { notFound, refuse } from '../behaviour/refusal.ts'
import { startDeadline } from '../behaviour/start-deadline.ts'
import type { Admission, CreateRun, MessageInput, SendMessage } from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'
import { addConversation, findByKey } from './conversations.ts'
import type { Intention } from './idempotency.ts'
import { once } from './idempotency.ts'
import type { Outcome, RawAnswer } from './outcome.ts'
import { answer } from './outcome.ts'
import { refuseUnusable } from './resources.ts'
import { admitRun, advance } from './runs.ts'
import type { GatewayState, StoredConversation } from './state.ts'
import { findConversation } from './state.ts'

export const sendMessage = (state: GatewayState, intention: Intention<SendMessage>): Outcome<Admission> | RawAnswer => {
  const { subject, ids, body } = intention
  const conversation = findConversation(state, subject, ids.conversation_id)
  if (conversation === undefined) return notFound('conversation')
  return once(state, intention, () => {
    const startBefore = startDeadline(body.start_before, state.now(), LIMITS.messageStartMs)
    if (!(startBefore instanceof Date)) return startBefore
    const refusal = refuseUnusable(state, subject, body.input) ?? refuseWork(conversation, body.expected_generation)
    return refusal ?? admit(state, conversation, body.input, startBefore)
  })
}

/** A direct run, in the conversation of its key, found or created, or in a new one without a key (D-22). */
export const createRun = (state: GatewayState, intention: Intention<CreateRun>): Outcome<Admission> | RawAnswer => {
  const { subject, ids, body } = intention
  const { input, conversation_key, expected_generation } = body
  const endpointId = ids.endpoint_id ?? ''
  if (!state.isEndpoint(endpointId)) return notFound('service')
  return once(state, intention, () => {
    const startBefore = startDeadline(body.start_before, state.now(), LIMITS.directStartMs)
    if (!(startBefore instanceof Date)) return startBefore
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
    return refusal ?? admit(state, conversation, input, startBefore)
  })
}

/** There is one version of every service and one device, which is always there; nobody limits the application. */
const refuseWork = ({ record, runs }: StoredConversation, expectedGeneration: number): Refusal | null =>
  refuseAdmission(
    {
      work: {
        generation: record.generation,
        bindingVersion: record.binding_version,
        state: record.state === 'active' ? 'active' : 'resetting',
      },
      breakingVersion: record.binding_version,
      queuedRuns: runs.filter((run) => run.record.state === 'queued').length,
      pendingOfApp: 0,
      pendingOfDevice: 0,
      device: 'ready',
      isPaused: false,
    },
    expectedGeneration,
    { queuedPerConversation: LIMITS.queuedRuns, pendingPerApp: Infinity, pendingPerDevice: Infinity },
  )

const admit = (
  state: GatewayState,
  conversation: StoredConversation,
  input: MessageInput,
  startBefore: Date,
): Outcome<Admission> => {
  const admission = admitRun(state, conversation, input, startBefore)
  advance(state, conversation)
  return answer(202, admission)
}
