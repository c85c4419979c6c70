import type { ConversationWork, Draft, RunWork } from '../behaviour/conversation-work.ts'
import { openDraft } from '../behaviour/conversation-work.ts'
import { messageRecord } from '../behaviour/message-record.ts'
import { isComplete } from '../behaviour/operation-state.ts'
import { appendEvent } from './event-log.ts'
import type { GatewayState, StoredConversation, StoredRun } from './state.ts'
import { isUnfinished } from './state.ts'

/** Longer than any test: a stop that a test holds back has not failed. */
const FOREVER_MS = 1e14
const WINDOWS = { stopMs: FOREVER_MS, reconcileMs: FOREVER_MS }

/** Applies a rule to a conversation, and writes what it decides. */
export const change = <Result>(
  state: GatewayState,
  conversation: StoredConversation,
  rule: (draft: Draft) => Result,
): Result => {
  const now = state.now()
  const draft = openDraft(workOf(conversation, now), now, WINDOWS, state.newId)
  const result = rule(draft)
  write(state, conversation, draft)
  return result
}

/** Applies a rule to an unfinished run. */
export const changeRun = (
  state: GatewayState,
  conversation: StoredConversation,
  { record }: StoredRun,
  rule: (draft: Draft, run: RunWork) => void,
): void =>
  change(state, conversation, (draft) => {
    for (const run of draft.work.runs) if (run.runId === record.run_id) rule(draft, run)
  })

const workOf = ({ record, runs, operations, messages }: StoredConversation, now: Date): ConversationWork => ({
  appId: record.app_id,
  subject: record.subject,
  conversationId: record.conversation_id,
  endpointId: record.endpoint_id,
  deviceId: '',
  publishedVersion: record.binding_version,
  deviceAway: false,
  generation: record.generation,
  bindingVersion: record.binding_version,
  state: record.state === 'resetting' ? 'resetting' : 'active',
  lastCursor: messages.length,
  runs: runs.filter(isUnfinished).map(runWork),
  operations: operations
    .filter((operation) => !isComplete(operation.record.state))
    .map(({ kind, runId, record: { operation_id, state, ref } }) => ({
      operationId: operation_id,
      kind,
      runId,
      stopUntil: new Date(now.getTime() + FOREVER_MS),
      state,
      generation: ref.generation,
    })),
})

const runWork = ({ record, startBefore, streamed, hasWholeMessage }: StoredRun, position: number): RunWork => ({
  runId: record.run_id,
  messageId: record.message_id,
  generation: record.generation,
  position,
  startBefore,
  state: record.state,
  deliveryState: record.delivery_state,
  reply:
    streamed === null
      ? null
      : {
          messageId: streamed.message_id,
          cursor: streamed.cursor,
          createdAt: new Date(streamed.created_at),
          text: streamed.content.text ?? '',
        },
  hasWholeMessage,
  awaitsApproval: record.state === 'waiting_approval',
  leaseExpiresAt: null,
  reconcileCause: null,
  reconcileUntil: null,
  time: null,
  result: null,
})

const write = (state: GatewayState, conversation: StoredConversation, draft: Draft): void => {
  const { record, runs, operations, messages } = conversation
  const { conversation_id: conversationId } = record
  const runOf = (runId: string) => runs.find((run) => run.record.run_id === runId)
  for (const message of draft.messages) {
    const whole = { role: 'assistant', resourceIds: null, partial: false, createdAt: draft.now } as const
    messages.push(messageRecord({ ...message, ...whole, conversationId }))
    const run = runOf(message.runId)
    if (run !== undefined) run.hasWholeMessage = true
  }
  for (const { cursor, partial } of draft.replies) {
    const reply = messages.find((message) => message.cursor === cursor)
    if (reply !== undefined) reply.content.partial = partial
  }
  for (const { runId, state: to, result } of draft.changedRuns) {
    const run = runOf(runId)
    if (run === undefined) continue
    run.record.state = to
    run.record.result = result
    run.record.updated_at = draft.now.toISOString()
  }
  for (const { operationId, kind, runId, state: to, generation } of draft.changedOperations) {
    const ref = { conversation_id: conversationId, generation }
    const known = operations.find((operation) => operation.record.operation_id === operationId)
    if (known === undefined) operations.push({ kind, runId, record: { operation_id: operationId, state: to, ref } })
    else {
      known.record.state = to
      known.record.ref = ref
    }
  }
  record.generation = draft.work.generation
  record.binding_version = draft.work.bindingVersion
  record.state = draft.work.state
  for (const event of draft.events) appendEvent(state, conversation, event)
}
