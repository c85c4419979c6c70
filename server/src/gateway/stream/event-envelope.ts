import type { StoredEvent } from '../../store/events.ts'

/**
 * An event as clients receive it (specification "Event envelope"), as one line of JSON. The payload goes in as it was
 * stored, without being parsed; line breaks in it can only be white space, because JSON strings escape theirs.
 */
export const eventEnvelope = (conversationId: string, event: StoredEvent): string =>
  `{"conversation_id":"${conversationId}","generation":${event.generation},"event_id":"${event.eventId}"` +
  `,"seq":${event.seq},"run_id":${textOrNull(event.runId)},"message_id":${textOrNull(event.messageId)}` +
  `,"type":"${event.type}","payload":${event.payload.replace(LINE_BREAKS, ' ')}}`

const LINE_BREAKS = /[\r\n]+/g

/** Identifiers and types need no escaping in JSON. */
const textOrNull = (identifier: string | null): string => (identifier === null ? 'null' : `"${identifier}"`)
