import type { NewEvent } from '../behaviour/conversation-changes.ts'
import { eventEnvelope } from '../behaviour/event-envelope.ts'
import type { KnownEvent } from '../generated/gateway.ts'
import type { GatewayState, StoredConversation, StoredRun } from './state.ts'

/** Adds an event of a run. It carries the run's input message unless another is named (D-27). */
export const emitRunEvent = (
  state: GatewayState,
  conversation: StoredConversation,
  { record }: StoredRun,
  content: Pick<NewEvent, 'type' | 'payload'>,
  messageId: string = record.message_id,
): void =>
  appendEvent(state, conversation, { ...content, generation: record.generation, runId: record.run_id, messageId })

/** Adds an event under the next seq: from 1, without gaps, across resets (D-28). */
export const appendEvent = (
  state: GatewayState,
  { record, events, bell }: StoredConversation,
  { type, generation, runId, messageId, payload }: NewEvent,
): void => {
  const event = {
    conversation_id: record.conversation_id,
    event_id: state.newId('evt'),
    seq: events.length + 1,
    generation,
    run_id: runId,
    message_id: messageId,
    type,
    payload,
  } as KnownEvent
  events.push(event)
  bell.ring()
  state.onEvent(event)
}

/** The event as it goes on the wire, to streams and callbacks alike. */
export const envelopeOf = (event: KnownEvent): string =>
  eventEnvelope(event.conversation_id, {
    seq: event.seq,
    eventId: event.event_id,
    generation: event.generation,
    runId: event.run_id,
    messageId: event.message_id,
    type: event.type,
    payload: JSON.stringify(event.payload),
  })
