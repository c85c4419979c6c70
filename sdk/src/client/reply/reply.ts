import { isTerminalRunEvent } from '../../events/event-guards.ts'
import { leavable } from '../../events/leavable.ts'
import type { EventStream } from '../../events/subscribe.ts'
import type { EventEnvelope, Run } from '../../generated/gateway.ts'
import type { Runs } from '../../generated/namespaces.ts'
import { RunFailedError } from '../../run-failed-error.ts'
import type { Timing } from '../../transport/timing.ts'
import type { WaitOptions } from '../options.ts'
import type { ReplyStart, RunEnd, TextPiece } from './reply-progress.ts'
import { HEARTBEAT_MS, toEventStream } from './reply-stream.ts'
import { streamHeaders } from './stream-headers.ts'

/** The reply of a run, as it grows. Iterated, it is its text. Leaving a loop cancels nothing. */
export interface Reply extends AsyncIterable<string> {
  /**
   * The seq to resume after, of what the last iteration handed on: it moves past a piece or event when the next one is
   * asked for. Before that, where the reply begins; null while that is not known.
   */
  readonly position: number | null
  /**
   * The text with its positions.
   * @param options Its signal ends this reading at once, also while nothing comes; the iteration rejects with its reason.
   * @throws {RunFailedError} the run ended without success; the text so far is in it. So does the text itself.
   */
  pieces(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<TextPiece>
  /** The run's events, each once, to its end; every end is a value. */
  events(): AsyncIterable<EventEnvelope>
  /** The run's ID, once it is known to be there: rejects as the admission does, or as reading the run. */
  runId(): Promise<string>
  /** The run once it has ended: `state` says how, `result.text` what. */
  run(options?: WaitOptions): Promise<Run>
  /**
   * Server-sent events for a browser: `start` with the run's ID, `text` for each piece and `end` with the state, and
   * with code and message of the error if there is one. Each `id` is a seq, so that what the browser sends as
   * `Last-Event-ID` is what `client.follow()` takes as `after`. A comment every 5 s keeps the connection alive. When
   * the browser goes, reading ends; that cancels nothing. What fails for good, a position that is no longer retained for
   * example, ends it with `end` and the error's code; what may pass breaks it off, so that the browser comes again.
   */
  toReadableStream(): ReadableStream<Uint8Array>
  /**
   * The same as an answer to the browser, once the run is known to be there: rejects as the admission does, or as reading
   * the run, or with a `CursorExpiredError` (answer with its `status`, 410) when `after` is no longer retained. Your
   * headers are kept; `Cache-Control` gets `no-transform`, so that nothing between holds the pieces back.
   */
  toResponse(init?: ResponseInit): Promise<Response>
}

export interface ReplyPort {
  readonly runs: Pick<Runs, 'get' | 'wait' | 'events'>
  readonly start: () => Promise<ReplyStart>
  readonly options: Pick<WaitOptions, 'signal' | 'headers' | 'requestId'>
  /** The program has been given something of the reply. */
  readonly onTaken: () => void
  readonly timing: Timing
}

export function createReply({ runs, start, options, onTaken, timing }: ReplyPort): Reply {
  let begin: number | undefined
  let latest: EventStream | undefined

  const follow = async (signal: AbortSignal, onOpen?: () => void) => {
    const { runId, after, isResumed } = await start()
    begin = after
    latest = runs.events(runId, { ...options, signal, after, onOpen })
    return { runId, isResumed, stream: latest }
  }

  /** What the program has had of it is taken, and no sooner. */
  async function* handOn<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
    try {
      for await (const item of items) {
        yield item
        onTaken()
      }
    } finally {
      onTaken()
    }
  }

  async function* events(signal: AbortSignal): AsyncGenerator<EventEnvelope, void, undefined> {
    const { stream } = await follow(signal)
    yield* stream
  }

  /** Whether the message has come in pieces before this event, which a resumed reader may not have been given. */
  const hadPieces = async (
    runId: string,
    { message_id, seq }: EventEnvelope,
    signal: AbortSignal,
  ): Promise<boolean> => {
    for await (const event of runs.events(runId, { ...options, signal })) {
      if (event.seq >= seq) break
      if (event.type === 'assistant.delta' && event.message_id === message_id) return true
    }
    return false
  }

  /** Of a streamed message its deltas, of one that comes whole its text, never both; and at last how the run ended. */
  async function* progress(
    signal: AbortSignal,
    onOpen?: () => void,
  ): AsyncGenerator<TextPiece | RunEnd, void, undefined> {
    const { runId, isResumed, stream } = await follow(signal, onOpen)
    const streamed = new Set<string | null>()
    for await (const event of stream) {
      const { seq } = event
      if (event.type === 'assistant.delta') {
        streamed.add(event.message_id)
        yield { seq, message_id: event.message_id, text: event.payload.text }
      } else if (event.type === 'assistant.message') {
        const { text } = event.payload.message.content
        if (text && !streamed.has(event.message_id) && !(isResumed && (await hadPieces(runId, event, signal))))
          yield { seq, message_id: event.message_id, text }
      } else if (isTerminalRunEvent(event)) {
        const { payload } = event
        return yield { seq, state: payload.state, error: 'error' in payload ? payload.error : null }
      }
    }
    const { state, result } = await runs.get(runId, { ...options, signal })
    yield { seq: null, state, error: result?.error ?? null }
  }

  async function* pieces(signal: AbortSignal): AsyncGenerator<TextPiece, void, undefined> {
    let text = ''
    for await (const item of progress(signal)) {
      if ('text' in item) {
        text += item.text
        yield item
      } else if (item.state !== 'succeeded') {
        const { runId } = await start()
        throw new RunFailedError({ runId, state: item.state, error: item.error, text })
      }
    }
  }

  async function* texts(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    for await (const { text } of handOn(pieces(signal))) yield text
  }

  const read = (onOpen?: () => void) => leavable(options.signal, (signal) => handOn(progress(signal, onOpen)))
  const toStream = (items = read()): ReadableStream<Uint8Array> =>
    toEventStream({ start, items, every: repeating(timing), signal: options.signal })

  /** Begins to read, and rejects when the gateway refuses the position. A gateway that does not answer is not waited for. */
  const readAccepted = async () => {
    const { promise: opened, resolve: onOpen } = Promise.withResolvers<void>()
    const items = read(onOpen)
    const first = items.next()
    const cancel = timing.after(HEARTBEAT_MS, onOpen)
    try {
      await Promise.race([first, opened])
    } finally {
      cancel()
    }
    let isFirst = true
    const next: typeof items.next = () => {
      const result = isFirst ? first : items.next()
      isFirst = false
      return result
    }
    first.catch(() => {})
    return { ...items, next }
  }

  return {
    get position() {
      return latest?.position ?? begin ?? null
    },
    pieces: (reading) => leavable(either(reading?.signal, options.signal), (signal) => handOn(pieces(signal))),
    events: () => leavable(options.signal, (signal) => handOn(events(signal))),
    async runId() {
      const { runId } = await start()
      onTaken()
      return runId
    },
    async run(wait) {
      const run = await runs.wait((await start()).runId, { ...options, ...wait })
      onTaken()
      return run
    },
    toReadableStream: () => toStream(),
    async toResponse(init = {}) {
      const { isResumed } = await start()
      const items = isResumed ? await readAccepted() : read()
      return new Response(toStream(items), { ...init, headers: streamHeaders(init.headers) })
    },
    [Symbol.asyncIterator]: () => leavable(options.signal, texts),
  }
}

const either = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one && other ? AbortSignal.any([one, other]) : (one ?? other)

/** Calls back again and again; the returned function ends it. */
const repeating =
  (timing: Timing) =>
  (delayMs: number, callback: () => void): (() => void) => {
    let cancel = (): void => {}
    const wait = (): void => {
      cancel = timing.after(delayMs, () => {
        wait()
        callback()
      })
    }
    wait()
    return () => cancel()
  }
