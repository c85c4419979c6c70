import type { StoredEvent } from '../../store/history/events.ts'

/** The wire format of events. */
export interface EventFrames {
  /** One event as one frame. */
  event(conversationId: string, event: StoredEvent): string
  /** Sent to keep an idle connection alive. */
  readonly ping: Uint8Array
}

/** The events of a page as bytes, each encoded once and shared by all receivers. */
export interface EncodedPage {
  /** The page has no gap from this seq on. */
  readonly unbrokenFrom: number
  readonly lastSeq: number
  /** When the newest of the events was written. */
  readonly writtenAt: Date
  /** The frames after a seq, of one run or of all, concatenated; null if there are none. */
  framesAfter(seq: number, runId: string | null): Uint8Array | null
}

/** Encodes a page that has at least one event; null for an empty one. */
export const encodePage = (
  frames: EventFrames,
  conversationId: string,
  events: readonly StoredEvent[],
): EncodedPage | null => {
  const [first] = events
  const last = events.at(-1)
  if (first === undefined || last === undefined) return null
  const encoded = events.map((event) => Buffer.from(frames.event(conversationId, event)))
  // Most subscribers are at the same position, so each distinct result is built once.
  const pieces = new Map<string, Uint8Array | null>()
  const compose = (start: number, runId: string | null): Uint8Array | null => {
    const due = encoded.filter((_, index) => index >= start && (runId === null || events[index]?.runId === runId))
    return due.length > 1 ? Buffer.concat(due) : (due[0] ?? null)
  }
  return {
    unbrokenFrom: unbrokenFrom(events),
    lastSeq: last.seq,
    writtenAt: last.createdAt,
    framesAfter: (seq, runId) => {
      const found = seq < first.seq ? 0 : events.findIndex((event) => event.seq > seq)
      if (found === -1) return null
      const key = `${found}/${runId ?? ''}`
      let piece = pieces.get(key)
      if (piece === undefined) {
        piece = compose(found, runId)
        pieces.set(key, piece)
      }
      return piece
    },
  }
}

/** The seq from which on the events are consecutive. */
const unbrokenFrom = (events: readonly StoredEvent[]): number => {
  let start = events.length - 1
  while (start > 0 && (events[start]?.seq ?? 0) - 1 === events[start - 1]?.seq) start--
  return events[start]?.seq ?? 0
}
