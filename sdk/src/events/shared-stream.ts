import type { ApiError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import { followSignal } from '../transport/follow-signal.ts'
import type { Batches, Sink } from './iterate-once.ts'
import { readEvents } from './read-events.ts'
import type { StreamSource } from './stream-source.ts'

/** Number of events that a trim of the buffer keeps, for readers that start slightly behind or are slightly slower. */
const WINDOW = 256

/** The position of a reader. */
export interface Place {
  position: number | null
}

/** The registry in which readers of the same stream find it. */
export interface Sharing {
  readonly streams: SharedStreams
  readonly key: string
}

/** The open streams, by subject, operation and observed run or conversation. */
export type SharedStreams = Map<string, SharedStream>

/**
 * One connection for all readers of the same stream, with events in batches. The fastest reader pulls; the others read
 * buffered events. A reader that is further behind has its own connection until it has caught up.
 */
export const readShared = (
  { streams, key }: Sharing,
  source: StreamSource,
  place: Place,
  signal: AbortSignal,
  sink: Sink<EventEnvelope>,
  onOpen: () => void,
): Batches => {
  let shared: { readonly stream: SharedStream; readonly reader: SharedReader; index: number } | undefined
  let own: { readonly batches: Batches; readonly controller: AbortController } | undefined
  let hadLast = false
  const forward: Sink<EventEnvelope> = {
    onFailure: sink.onFailure,
    onItems: (events) => {
      hadLast = source.info.terminal.includes(events?.at(-1)?.type ?? '')
      sink.onItems(events)
    },
  }
  const leave = async (): Promise<void> => {
    const [left, abandoned] = [shared, own]
    shared = undefined
    own = undefined
    abandoned?.controller.abort()
    await left?.reader.leave()
    await abandoned?.batches.close()
  }
  /** Joins an open stream if possible. */
  const begin = (): void => {
    const stream = streams.get(key) ?? new SharedStream(streams, key, source, place.position)
    const index = stream.find(place.position)
    if (index !== null) {
      shared = { stream, reader: stream.join(signal, source.waitForStream), index }
      return
    }
    const controller = followSignal(signal)
    own = { controller, batches: readEvents(source, place.position, controller.signal, forward, onOpen) }
  }
  const next = (): void => {
    // The shared stream may have ended, and a new one would wait for events that have already passed.
    if (hadLast) {
      sink.onItems(null)
      return
    }
    if (!shared && !own) begin()
    const mustChange = shared
      ? shared.index < shared.stream.dropped
      : (streams.get(key)?.find(place.position) ?? null) !== null
    if (mustChange) void leave().then(next, sink.onFailure)
    else if (shared) take(shared)
    else own?.batches.next()
  }
  const take = ({ stream, reader, index }: NonNullable<typeof shared>): void => {
    if (stream.isOpen) onOpen()
    if (signal.aborted) sink.onFailure(signal.reason)
    else if (index < stream.until) give(stream.eventsFrom(index))
    else if (stream.end?.isFailed) sink.onFailure(stream.end.error)
    else if (stream.refusal && !source.waitForStream) sink.onFailure(stream.refusal)
    else if (stream.end) sink.onItems(null)
    else reader.more(receive)
  }
  const give = (events: readonly EventEnvelope[]): void => {
    if (shared) shared.index += events.length
    forward.onItems(events)
  }
  /** The items that arrived while it waited at the end. */
  const receive: Wake = (events) => {
    if (events && !signal.aborted) give(events)
    else next()
  }
  return { next, close: leave }
}

/** Called with the new items, or with null if the reader must check again. */
type Wake = (events: readonly EventEnvelope[] | null) => void

interface SharedReader {
  /**
   * For a reader at the end: calls back when there are or may be more events, or when the reader's signal is aborted.
   */
  more(wake: Wake): void
  /** The last reader closes the connection. */
  leave(): Promise<void>
}

class SharedStream {
  readonly #streams: SharedStreams
  readonly #key: string
  readonly #controller = new AbortController()
  readonly #batches: Batches
  /** The position after which every event is kept; null for the oldest that the gateway retains. */
  #begin: number | null
  readonly #kept: EventEnvelope[] = []
  /** Callbacks of readers that wait for more. */
  #wakes: Wake[] = []
  #readers = 0
  /** The number of readers that want to wait while no stream is free. */
  #waiting = 0
  #isPulling = false
  /** Whether the gateway has accepted the position. */
  isOpen = false
  /** The last refusal with `STREAM_LIMIT`, if any. */
  refusal: ApiError | undefined
  /** Number of events that were dropped from the buffer. */
  dropped = 0
  /** How the stream ended, after the buffered events. */
  end: { readonly isFailed: false } | { readonly isFailed: true; readonly error: unknown } | undefined

  constructor(streams: SharedStreams, key: string, source: StreamSource, position: number | null) {
    this.#streams = streams
    this.#key = key
    this.#begin = position
    const sink = { onItems: this.#receive, onFailure: this.#fail }
    const open = (): void => {
      this.isOpen = true
      this.refusal = undefined
      this.#ring(null)
    }
    const waits = (refusal: ApiError): boolean => {
      this.refusal = refusal
      this.#ring(null)
      return this.#waiting > 0
    }
    this.#batches = readEvents(source, position, this.#controller.signal, sink, open, waits)
    streams.set(key, this)
  }

  /** The index at which a reader continues after the position; null if the buffer does not determine it. */
  find(position: number | null): number | null {
    if (position === this.#begin) return this.dropped
    const first = this.#begin ?? this.#kept[0]?.seq
    const last = this.#kept.at(-1)?.seq
    if (position === null || first === undefined || last === undefined || position < first || position > last)
      return null
    const later = this.#kept.findIndex(({ seq }) => seq > position)
    return this.dropped + (later < 0 ? this.#kept.length : later)
  }

  /** The position that the connection has reached; null for the oldest that the gateway retains. */
  get position(): number | null {
    return this.#kept.at(-1)?.seq ?? this.#begin
  }

  /** The index that the next event will have. */
  get until(): number {
    return this.dropped + this.#kept.length
  }

  /** @param index Not below `dropped`. */
  eventsFrom(index: number): readonly EventEnvelope[] {
    return this.#kept.slice(index - this.dropped)
  }

  join(signal: AbortSignal, waitForStream: boolean): SharedReader {
    this.#readers += 1
    if (waitForStream) this.#waiting += 1
    // Waking all readers is safe: each checks again.
    const abort = (): void => this.#ring(null)
    signal.addEventListener('abort', abort)
    return {
      more: (wake) => this.#more(wake),
      leave: async () => {
        signal.removeEventListener('abort', abort)
        this.#readers -= 1
        if (waitForStream) this.#waiting -= 1
        if (this.#readers === 0) await this.#close()
      },
    }
  }

  /** Takes the next batch off the connection, only when a reader requests it. */
  #more(wake: Wake): void {
    this.#wakes.push(wake)
    if (this.#isPulling) return
    this.#isPulling = true
    this.#batches.next()
  }

  #ring(events: readonly EventEnvelope[] | null): void {
    const wakes = this.#wakes
    this.#wakes = []
    for (const wake of wakes) wake(events)
  }

  readonly #receive = (events: readonly EventEnvelope[] | null): void => {
    if (events) this.#keep(events)
    else this.#finish({ isFailed: false })
    this.#isPulling = false
    this.#ring(events)
  }

  readonly #fail = (error: unknown): void => {
    this.#finish({ isFailed: true, error })
    this.#isPulling = false
    this.#ring(null)
  }

  #finish(end: NonNullable<SharedStream['end']>): void {
    this.end = end
    this.#leaveMap()
  }

  #keep(events: readonly EventEnvelope[]): void {
    // Trim before the new events are added, so that waiting readers find all of them.
    if (this.#kept.length > 2 * WINDOW) {
      const dropped = this.#kept.splice(0, this.#kept.length - WINDOW)
      this.dropped += dropped.length
      this.#begin = dropped.at(-1)?.seq ?? this.#begin
    }
    for (const event of events) this.#kept.push(event)
  }

  async #close(): Promise<void> {
    this.#leaveMap()
    this.#controller.abort()
    // The signal ends any pending wait.
    if (this.#isPulling) await new Promise<void>((resolve) => this.#more(() => resolve()))
    await this.#batches.close()
  }

  #leaveMap(): void {
    if (this.#streams.get(this.#key) === this) this.#streams.delete(this.#key)
  }
}
