import { createParser } from 'eventsource-parser'
import { ConnectionError } from '../errors.ts'
import { EVENT_TYPES } from '../generated/events.ts'
import type { EventEnvelope } from '../generated/gateway.ts'

/** What comes on an event stream, told as it comes: calls and no values of their own, since every event passes here. */
export interface Arrivals {
  onEvent(event: EventEnvelope): void
  /** A comment, which only says that the connection is alive. */
  onPing(): void
  /** The time in milliseconds that the gateway asks for between connections. */
  onRetry(delayMs: number): void
}

const STREAM = { stream: true }

/**
 * Decodes one connection's bytes: tells what they complete, in order. Returns an error for a frame that is no event of the
 * contract, after which nothing on this connection can be trusted, and nothing is told.
 * @param maxFrameLength Largest frame, in characters; a larger one is an error before it is held in memory.
 */
export const createFrameDecoder = (
  maxFrameLength: number,
  { onEvent, onPing, onRetry }: Arrivals,
): ((bytes: Uint8Array) => ConnectionError | undefined) => {
  const text = new TextDecoder('utf-8', { fatal: true })
  const parser = createParser({
    // Beyond it the parser keeps nothing, and throws when it is fed again.
    maxBufferSize: maxFrameLength,
    onComment: onPing,
    onRetry,
    onEvent: ({ id, data }) => {
      const event: Partial<EventEnvelope> | null = JSON.parse(data)
      // The parser only limits what it has to keep: a frame that comes in one chunk passes it by.
      if (data.length > maxFrameLength || !isEnvelope(event) || !isNumber(id, event.seq))
        throw new TypeError('It is too large, or no event.')
      onEvent(event)
    },
  })
  return (bytes) => {
    try {
      parser.feed(text.decode(bytes, STREAM))
      return undefined
    } catch (cause) {
      return new ConnectionError('A frame of the event stream is broken.', { cause })
    }
  }
}

/** Of a type that a later gateway has, nothing is demanded but its place: clients ignore what they do not know (D-26). */
const isEnvelope = (value: Partial<EventEnvelope> | null): value is EventEnvelope =>
  Number.isSafeInteger(value?.seq) &&
  typeof value?.type === 'string' &&
  ((typeof value.payload === 'object' && value.payload !== null) || !KNOWN_TYPES.has(value.type))

const KNOWN_TYPES: ReadonlySet<string> = new Set(EVENT_TYPES)

/** Whether the text is the number in digits. Making a text or a number of one of them would cost as much as a tenth of the JSON. */
const isNumber = (text: string | undefined, number: number): boolean => {
  if (!text || (text.length > 1 && text.charCodeAt(0) === ZERO)) return false
  let value = 0
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - ZERO
    if (digit < 0 || digit > 9) return false
    value = value * 10 + digit
  }
  return value === number
}

const ZERO = 48
