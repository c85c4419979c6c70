import type { EventEnvelope } from '../generated/gateway.ts'
import { iterateOnce } from './iterate-once.ts'
import { readEvents } from './read-events.ts'
import { type Place, readShared, type Sharing } from './shared-stream.ts'
import type { StreamOptions, StreamSource } from './stream-source.ts'

/**
 * The events after a position, each once and in order, across any number of connections. Can be iterated once. A stream
 * of a run ends after the run's last event. If that event is already past or no longer retained, the stream ends as
 * soon as the run's record and the conversation's log prove it. A stream of a conversation has no end. Leaving the loop
 * closes the connection and cancels nothing. Readers of the same stream and subject share a connection within one
 * client and the clients derived by `forSubject`. A reader with `headers` or a `requestId` has its own connection.
 *
 * The iteration rejects with
 * - `CursorExpiredError` when events after the position are no longer retained: reload the snapshot;
 * - `ApiError` when the gateway refuses for good, for example with 400, 401, 403, 404 or 406;
 * - `NotSentError` for a fault of the set-up, such as a wrong certificate;
 * - `StreamInterruptedError` when the stream made no progress within the client's `streamPatienceMs`;
 * - the reason of the caller's signal.
 */
export interface EventStream {
  [Symbol.asyncIterator](): AsyncIterableIterator<EventEnvelope, void>
  /**
   * The seq to resume after. It moves past an event when the next one is requested, so an event that was being
   * processed when the loop was left is delivered again. Without `after`, it is null until then.
   */
  readonly position: number | null
}

/**
 * Subscribes through `source`; nothing is opened before the first event is requested.
 * @param sharing Null for a connection of its own.
 */
export const subscribe = (
  source: StreamSource,
  { after, onOpen, signal }: StreamOptions = {},
  sharing: Sharing | null = null,
): EventStream => {
  let isOpen = false
  const opened = (): void => {
    if (!isOpen) onOpen?.()
    isOpen = true
  }
  const stream: EventStream & Place = {
    position: after ?? null,
    ...iterateOnce(
      'Subscribe again, with its `position` as `after`.',
      signal,
      (inner, sink) =>
        sharing === null
          ? readEvents(source, stream.position, inner, sink, opened)
          : readShared(sharing, source, stream, inner, sink, opened),
      ({ seq }) => {
        stream.position = seq
      },
    ),
  }
  return stream
}
