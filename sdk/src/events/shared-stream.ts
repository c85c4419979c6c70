import type { EventEnvelope } from '../generated/gateway.ts'
import { followSignal } from '../transport/follow-signal.ts'
import { handOn, type Place } from './place.ts'
import { readEvents } from './read-events.ts'
import type { StreamSource } from './stream-source.ts'

/** Events that are kept for readers that begin a little earlier than the connection is, or are a little slower. */
const WINDOW = 256

/** The streams that somebody reads, by what they show and for whom. */
export type SharedStreams = Map<string, SharedStream>

/**
 * The events in batches over one connection for all who read the same stream: the fastest reader draws, the others find
 * the events kept. Who is further behind has a connection of its own until it has caught up.
 */
export async function* readShared(
  streams: SharedStreams,
  key: string,
  source: StreamSource,
  place: Place,
  signal: AbortSignal,
): AsyncGenerator<Iterable<EventEnvelope>, void> {
  for (;;) {
    const shared = streams.get(key) ?? new SharedStream(streams, key, source, place.position)
    let index = shared.find(place.position)
    if (index !== null) {
      const reader = shared.join(signal)
      try {
        while (index >= shared.dropped) {
          signal.throwIfAborted()
          const events = shared.eventsFrom(index)
          index += events.length
          if (events.length > 0) yield handOn(events, place)
          else if (shared.end === undefined) await reader.more()
          else if (shared.end.isFailed) throw shared.end.error
          else return
        }
      } finally {
        await reader.leave()
      }
      continue
    }
    const own = followSignal(signal)
    let hasCaughtUp = false
    try {
      for await (const batch of readEvents(source, place.position, own.signal, (events) => handOn(events, place))) {
        yield batch
        hasCaughtUp = (streams.get(key)?.find(place.position) ?? null) !== null
        if (hasCaughtUp) break
      }
    } finally {
      own.abort()
    }
    if (!hasCaughtUp) return
  }
}

interface SharedReader {
  /** Resolves when there may be more, or when a reader's signal is aborted. */
  more(): Promise<void>
  /** The last one closes the connection. */
  leave(): Promise<void>
}

class SharedStream {
  readonly #streams: SharedStreams
  readonly #key: string
  readonly #controller = new AbortController()
  readonly #batches: AsyncGenerator<readonly EventEnvelope[], void>
  /** The position after which every event is kept; null for the oldest that the gateway retains. */
  #begin: number | null
  readonly #kept: EventEnvelope[] = []
  /** Resolves when there may be more for those who wait, or one of them is aborted. */
  #news: Promise<void> | undefined
  #ring = (): void => {}
  #readers = 0
  #isDrawing = false
  /** How many events came before those that are kept. */
  dropped = 0
  /** How the stream ended, after what is kept. */
  end: { readonly isFailed: false } | { readonly isFailed: true; readonly error: unknown } | undefined

  constructor(streams: SharedStreams, key: string, source: StreamSource, position: number | null) {
    this.#streams = streams
    this.#key = key
    this.#begin = position
    this.#batches = readEvents(source, position, this.#controller.signal, (events) => events)
    streams.set(key, this)
  }

  /** Where somebody reads on who has had the events up to the position; null when that cannot be told here. */
  find(position: number | null): number | null {
    if (position === this.#begin) return this.dropped
    const first = this.#begin ?? this.#kept[0]?.seq
    const last = this.#kept.at(-1)?.seq
    if (position === null || first === undefined || last === undefined || position < first || position > last)
      return null
    const later = this.#kept.findIndex(({ seq }) => seq > position)
    return this.dropped + (later < 0 ? this.#kept.length : later)
  }

  /** @param index Not below `dropped`. */
  eventsFrom(index: number): readonly EventEnvelope[] {
    return this.#kept.slice(index - this.dropped)
  }

  join(signal: AbortSignal): SharedReader {
    this.#readers += 1
    const abort = (): void => this.#ring()
    signal.addEventListener('abort', abort)
    return {
      more: () => this.#more(),
      leave: async () => {
        signal.removeEventListener('abort', abort)
        this.#readers -= 1
        if (this.#readers === 0) await this.#close()
      },
    }
  }

  /** Takes the next batch off the connection; nothing is taken before somebody wants it. */
  #more(): Promise<void> {
    this.#news ??= new Promise((resolve) => {
      this.#ring = () => {
        this.#news = undefined
        resolve()
      }
    })
    if (!this.#isDrawing) {
      this.#isDrawing = true
      this.#batches.next().then(this.#receive, this.#fail)
    }
    return this.#news
  }

  readonly #receive = ({ done, value }: IteratorResult<readonly EventEnvelope[], void>): void => {
    if (done) this.#finish({ isFailed: false })
    else if (value) this.#keep(value)
    this.#isDrawing = false
    this.#ring()
  }

  readonly #fail = (error: unknown): void => {
    this.#finish({ isFailed: true, error })
    this.#ring()
  }

  #finish(end: NonNullable<SharedStream['end']>): void {
    this.end = end
    this.#leaveMap()
  }

  #keep(events: readonly EventEnvelope[]): void {
    // Before they come: whoever waits for them finds all of them.
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
    // What it still waits for ends by the signal, and has been told to who read.
    await this.#batches.return().catch(() => {})
  }

  #leaveMap(): void {
    if (this.#streams.get(this.#key) === this) this.#streams.delete(this.#key)
  }
}
