import type { EventEnvelope } from '../generated/gateway.ts'

/** Where a reader of a stream is. */
export interface Place {
  position: number | null
}

/** An event has been read when the next one is asked for. */
export function* handOn(events: readonly EventEnvelope[], place: Place): Generator<EventEnvelope> {
  for (const event of events) {
    yield event
    place.position = event.seq
  }
}
