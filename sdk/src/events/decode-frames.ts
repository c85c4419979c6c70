import { createParser } from 'eventsource-parser'
import { ConnectionError } from '../errors.ts'
import { EVENT_TYPES } from '../generated/events.ts'
import type { EventEnvelope } from '../generated/gateway.ts'

/** Receives the parts of an event stream as they arrive. Callbacks avoid allocating a value for every event. */
export interface Arrivals {
  onEvent(event: EventEnvelope): void
  /** A comment, which only shows that the connection is alive. */
  onPing(): void
  /** The reconnection time in milliseconds that the gateway requests. */
  onRetry(delayMs: number): void
}

const STREAM = { stream: true }

/**
 * Decodes one connection's bytes and reports complete events in order. At a frame that is not an event of the contract
 * it returns an error without reading on, because the rest of the connection cannot be trusted.
 * @param maxFrameLength Largest frame, in characters; a larger one is an error and is not buffered whole.
 */
export const createFrameDecoder = (
  maxFrameLength: number,
  { onEvent, onPing, onRetry }: Arrivals,
): ((bytes: Uint8Array) => ConnectionError | undefined) => {
  const text = new TextDecoder('utf-8', { fatal: true })
  const parser = createParser({
    // Beyond this size the parser keeps nothing, and throws at the next chunk.
    maxBufferSize: maxFrameLength,
    onComment: onPing,
    onRetry,
    onEvent: ({ id, data }) => {
      const event: Partial<EventEnvelope> | null = JSON.parse(data)
      // The parser only limits buffered data, so a frame within one chunk needs this check.
      if (data.length > maxFrameLength || !isEnvelope(event) || !isNumber(id, event.seq))
        throw new TypeError('It is too large, or it is not an event.')
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

/** For unknown types only the position is checked, because clients ignore them (D-26). */
const isEnvelope = (value: Partial<EventEnvelope> | null): value is EventEnvelope =>
  Number.isSafeInteger(value?.seq) &&
  typeof value?.type === 'string' &&
  ((typeof value.payload === 'object' && value.payload !== null) || !KNOWN_TYPES.has(value.type))

const KNOWN_TYPES: ReadonlySet<string> = new Set(EVENT_TYPES)

/** Whether the text is the number in digits. Converting either of them would cost a tenth of parsing the JSON. */
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
