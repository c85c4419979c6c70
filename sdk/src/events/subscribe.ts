import type { EventEnvelope } from '../generated/gateway.ts'
import { iterateOnce } from './iterate-once.ts'
import type { Place } from './read-events.ts'
import type { StreamOptions, StreamSource } from './stream-source.ts'

/**
 * The events after a position, each once and in order, across any number of connections. Can be iterated once. A stream
 * of a run ends after the run's last event, also when that came long ago or is no longer retained (then up to two ping
 * intervals later); a stream of a conversation has no end. Leaving the loop closes the connection and cancels nothing.
 *
 * The iteration rejects with
 * - `CursorExpiredError` when events after the position are no longer retained: reload the snapshot;
 * - `ApiError` when the gateway refuses for good (400, 401, 403, 404, 406);
 * - `StreamInterruptedError` when reconnecting failed for longer than the client's `streamPatienceMs`;
 * - the reason of the caller's signal.
 */
export interface EventStream extends AsyncIterable<EventEnvelope> {
  /**
   * The seq to resume after. It moves past an event when the next one is asked for, so that what was being worked on
   * when a loop was left comes again. Null until then without an `after`.
   */
  readonly position: number | null
}

/** Subscribes through `source`; nothing is opened before the first event is asked for. */
export const subscribe = (source: StreamSource, { after, signal }: StreamOptions = {}): EventStream => {
  const stream: AsyncIterable<EventEnvelope> & Place = {
    position: after ?? null,
    ...iterateOnce('Subscribe anew, with its `position` as `after`.', signal, (inner) =>
      import('./read-events.ts').then(({ readEvents }) => readEvents(source, stream, inner)),
    ),
  }
  return stream
}
