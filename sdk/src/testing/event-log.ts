import { eventEnvelope } from '../behaviour/event-envelope.ts'
import type { ConversationResetEvent, KnownEvent } from '../generated/gateway.ts'
import type { GatewayState, StoredConversation, StoredRun } from './state.ts'

type Content<Event> = Event extends KnownEvent ? Pick<Event, 'type' | 'payload'> : never

/** What an event of a run says. */
export type RunEventContent = Content<Exclude<KnownEvent, ConversationResetEvent>>

/** Adds an event of a run. It carries the run's input message unless another is named (D-27). */
export const emitRunEvent = (
  state: GatewayState,
  conversation: StoredConversation,
  { record }: StoredRun,
  content: RunEventContent,
  messageId: string = record.message_id,
): void => {
  const { run_id, generation } = record
  append(state, conversation, { ...place(state, conversation), generation, run_id, message_id: messageId, ...content })
}

/** Adds the event of a completed reset, under the new generation (D-27). */
export const emitReset = (
  state: GatewayState,
  conversation: StoredConversation,
  payload: ConversationResetEvent['payload'],
): void => {
  const { generation } = payload
  append(state, conversation, {
    ...place(state, conversation),
    generation,
    run_id: null,
    message_id: null,
    type: 'conversation.reset',
    payload,
  })
}

/** The next seq: from 1, without gaps, across resets (D-28). */
const place = (state: GatewayState, { record, events }: StoredConversation) => ({
  conversation_id: record.conversation_id,
  event_id: state.newId('evt'),
  seq: events.length + 1,
})

const append = (state: GatewayState, { events, bell }: StoredConversation, event: KnownEvent): void => {
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
