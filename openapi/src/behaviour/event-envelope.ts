/** An event in its conversation's log; `payload` is the JSON text that clients receive. */
export interface LoggedEvent {
  readonly seq: number
  readonly eventId: string
  readonly generation: number
  readonly runId: string | null
  readonly messageId: string | null
  readonly type: string
  readonly payload: string
}

/**
 * An event as clients receive it (specification "Event envelope"), as one line of JSON. The stored payload is
 * inserted without parsing. Its line breaks can only be white space, because JSON escapes line breaks in strings.
 */
export const eventEnvelope = (conversationId: string, event: LoggedEvent): string =>
  `{"conversation_id":"${conversationId}","generation":${event.generation},"event_id":"${event.eventId}"` +
  `,"seq":${event.seq},"run_id":${textOrNull(event.runId)},"message_id":${textOrNull(event.messageId)}` +
  `,"type":"${event.type}","payload":${event.payload.replace(LINE_BREAKS, ' ')}}`

const LINE_BREAKS = /[\r\n]+/g

/** Identifiers and types need no escaping in JSON. */
const textOrNull = (identifier: string | null): string => (identifier === null ? 'null' : `"${identifier}"`)
