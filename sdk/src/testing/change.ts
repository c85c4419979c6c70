import type { NewEvent } from '../../../openapi/src/behaviour/conversation-changes.ts'
import { type Draft, openDraft } from '../../../openapi/src/behaviour/conversation-work.ts'
import { eventEnvelope } from '../../../openapi/src/behaviour/event-envelope.ts'
import type { GatewayState, StoredConversation, WrittenEvent } from './state.ts'

/** Longer than any test, so that a cancel or reset does not time out while a test holds it. */
const FOREVER_MS = 1e14
const WINDOWS = { stopMs: FOREVER_MS, reconcileMs: FOREVER_MS }

/** Applies a rule to a conversation, and writes the result. */
export const change = <Result>(
  state: GatewayState,
  conversation: StoredConversation,
  rule: (draft: Draft) => Result,
): Result => {
  const { conversationId, messages, runs } = conversation
  const draft = openDraft(conversation, state.now(), WINDOWS, state.newId)
  const result = rule(draft)
  const whole = { role: 'assistant', resourceIds: null, activities: [], partial: false, createdAt: draft.now } as const
  for (const message of draft.messages)
    messages.push({ ...message, data: jsonOrNull(message.data), ...whole, conversationId })
  for (const { cursor, data, ...content } of draft.replies)
    for (const message of messages)
      if (message.cursor === cursor) Object.assign(message, { ...content, data: jsonOrNull(data) })
  for (const run of runs) {
    if (draft.messages.some(({ runId }) => runId === run.runId)) run.hasWholeMessage = true
    if (draft.changedRuns.has(run)) run.updatedAt = draft.now
  }
  for (const event of draft.events) appendEvent(state, conversation, event)
  return result
}

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

/** Adds an event under the next seq: from 1, without gaps, across resets (D-28). */
const appendEvent = (state: GatewayState, conversation: StoredConversation, event: NewEvent): void => {
  const { conversationId, events, wakeUp } = conversation
  const { runId, type, payload } = event
  const placed = { runId, type, seq: events.length + 1, eventId: state.newId('evt') }
  const json = eventEnvelope(conversationId, { ...event, ...placed, payload: JSON.stringify(payload) })
  const written: WrittenEvent = { ...placed, json }
  events.push(written)
  wakeUp.notify()
  state.onEvent(written)
}
