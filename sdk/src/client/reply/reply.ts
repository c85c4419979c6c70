import { isTerminalRunEvent } from '../../events/event-guards.ts'
import type { EventStream } from '../../events/subscribe.ts'
import type { EventEnvelope, Run } from '../../generated/gateway.ts'
import type { Runs } from '../../generated/namespaces.ts'
import { RunFailedError } from '../../run-failed-error.ts'
import type { Timing } from '../../transport/timing.ts'
import type { WaitOptions } from '../options.ts'
import type { ReplyStart, RunEnd, TextPiece } from './reply-progress.ts'
import { toEventStream } from './reply-stream.ts'

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
   * `Last-Event-ID` is what `client.follow()` takes as `after`. A comment every 15 s keeps the connection alive. When
   * the browser goes, reading ends; that cancels nothing.
   */
  toReadableStream(): ReadableStream<Uint8Array>
  /**
   * The same as an answer to the browser, once the run is known to be there: rejects as the admission does, or as reading
   * the run.
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

  const follow = async (
    signal = options.signal,
  ): Promise<{
    readonly runId: string
    readonly isResumed: boolean
    readonly stream: EventStream
  }> => {
    const { runId, after, isResumed } = await start()
    begin = after
    const stream = runs.events(runId, { ...options, signal, after })
    return { runId, isResumed, stream }
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

  async function* events(): AsyncGenerator<EventEnvelope, void, undefined> {
    const { stream } = await follow()
    latest = stream
    yield* stream
  }

  /** Whether the message has come in pieces before this event, which a resumed reader may not have been given. */
  const hadPieces = async (runId: string, { message_id, seq }: EventEnvelope): Promise<boolean> => {
    for await (const event of runs.events(runId, options)) {
      if (event.seq >= seq) break
      if (event.type === 'assistant.delta' && event.message_id === message_id) return true
    }
    return false
  }

  /** Of a streamed message its deltas, of one that comes whole its text, never both; and at last how the run ended. */
  async function* progress(signal?: AbortSignal): AsyncGenerator<TextPiece | RunEnd, void, undefined> {
    const { runId, isResumed, stream } = await follow(signal)
    latest = stream
    const streamed = new Set<string | null>()
    for await (const event of stream) {
      const { seq } = event
      if (event.type === 'assistant.delta') {
        streamed.add(event.message_id)
        yield { seq, message_id: event.message_id, text: event.payload.text }
      } else if (event.type === 'assistant.message') {
        const { text } = event.payload.message.content
        if (text && !streamed.has(event.message_id) && !(isResumed && (await hadPieces(runId, event))))
          yield { seq, message_id: event.message_id, text }
      } else if (isTerminalRunEvent(event)) {
        const { payload } = event
        return yield { seq, state: payload.state, error: 'error' in payload ? payload.error : null }
      }
    }
    const { state, result } = await runs.get(runId, options)
    yield { seq: null, state, error: result?.error ?? null }
  }

  async function* pieces(signal?: AbortSignal): AsyncGenerator<TextPiece, void, undefined> {
    let text = ''
    for await (const item of progress(either(signal, options.signal))) {
      if ('text' in item) {
        text += item.text
        yield item
      } else if (item.state !== 'succeeded') {
        const { runId } = await start()
        throw new RunFailedError({ runId, state: item.state, error: item.error, text })
      }
    }
  }

  async function* texts(): AsyncGenerator<string, void, undefined> {
    for await (const { text } of handOn(pieces())) yield text
  }

  const toReadableStream = (): ReadableStream<Uint8Array> =>
    toEventStream({
      start,
      progress: (signal) => handOn(progress(signal)),
      every: repeating(timing),
      signal: options.signal,
    })

  return {
    get position() {
      return latest?.position ?? begin ?? null
    },
    pieces: (reading) => handOn(pieces(reading?.signal)),
    events: () => handOn(events()),
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
    toReadableStream,
    async toResponse(init = {}) {
      await start()
      const headers = new Headers(init.headers)
      headers.set('Content-Type', 'text/event-stream; charset=utf-8')
      headers.set('Cache-Control', 'no-store')
      // nginx would hold the pieces back.
      headers.set('X-Accel-Buffering', 'no')
      return new Response(toReadableStream(), { ...init, headers })
    },
    [Symbol.asyncIterator]: texts,
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
