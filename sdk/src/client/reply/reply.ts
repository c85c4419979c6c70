import { changeActivity } from '../../activity.ts'
import { GatewayError, isApiError, RunFailedError } from '../../errors.ts'
import { isFinished, isTerminalRunEvent } from '../../events/event-guards.ts'
import { leavable } from '../../events/leavable.ts'
import { snapshotsUntilRetry } from '../../events/snapshots-until-retry.ts'
import type { StreamOptions } from '../../events/stream-source.ts'
import type { EventStream } from '../../events/subscribe.ts'
import type { Activity, ActivityUpdate, EventEnvelope, Run, Snapshot } from '../../generated/gateway.ts'
import type { Conversations, Runs } from '../../generated/namespaces.ts'
import type { DecisionListener } from '../../transport/decision-report.ts'
import { isTransientError } from '../../transport/retry.ts'
import type { Timing } from '../../transport/timing.ts'
import type { WaitOptions } from '../options.ts'
import type { ActivityPiece, ReplyStart, RunEnd, TextPiece } from './reply-progress.ts'
import { HEARTBEAT_MS, streamHeaders, toEventStream } from './reply-stream.ts'

/** Options of one reading of a reply. */
export interface ReadingOptions {
  readonly signal?: AbortSignal | undefined
}

/** The reply of a run, as it grows. Iterate over it for its text. Leaving a loop cancels nothing. */
export interface Reply extends AsyncIterable<string> {
  /**
   * The seq to resume after, for the last iteration. It moves past a piece or event when the next one is requested.
   * Before that, it is the beginning of the reply; null while that is unknown.
   */
  readonly position: number | null
  /**
   * The text with its positions.
   * @param options Its signal ends this reading at once, even while the run is silent; the iteration rejects with its
   * reason.
   * @throws {RunFailedError} the run ended without success; the error contains the text so far. Iterating over the
   * reply itself throws it too.
   */
  pieces(options?: ReadingOptions): AsyncIterable<TextPiece>
  /**
   * The activities of the run: tool calls, reasoning, progress, sources and others (D-69). Each change yields the whole
   * activity after it, so the last item with an `activity_id` is its final state. A resumed reply begins with the first
   * change after its position; that item includes earlier changes. While no stream is free, changes of one activity
   * between two snapshots yield one item. Ends when the run ends in any state; an activity may still be `running`.
   * @param options Its signal ends this reading at once; the iteration rejects with its reason.
   */
  activities(options?: ReadingOptions): AsyncIterable<Activity>
  /**
   * Text, activities and finally the end of the run, in their order and with their positions: each item has one of
   * `text`, `activity` and `state`. A run that fails yields a value too and does not throw. Activities are yielded as
   * in `activities()`.
   * @param options Its signal ends this reading at once; the iteration rejects with its reason.
   */
  progress(options?: ReadingOptions): AsyncIterable<TextPiece | ActivityPiece | RunEnd>
  /** The run's events, each once, to its end. A run that fails does not throw. */
  events(): AsyncIterable<EventEnvelope>
  /** The run's ID, once the run is known to exist. Rejects as the admission does, or as reading the run does. */
  runId(): Promise<string>
  /** The run once it has ended: `state` says how it ended, and `result.text` is its text. */
  run(options?: WaitOptions): Promise<Run>
  /**
   * Server-sent events for a browser: `start` with the run's ID, `text` for each piece and `end` with the state, and
   * with code and message of the error if there is one. Each `id` is a seq, so the browser's `Last-Event-ID` is a valid
   * `after` for `client.follow()`. A comment every 5 s keeps the connection alive. When the browser disconnects,
   * reading ends and the run continues. A permanent error, such as a position that is no longer retained, ends the
   * stream with `end` and the error's code. A transient error breaks the stream off, so that the browser reconnects.
   */
  toReadableStream(): ReadableStream<Uint8Array>
  /**
   * The same as a `Response`, once the run is known to exist. Rejects like the admission, like reading the run, or with
   * a `CursorExpiredError` (answer with its `status`, 410) when `after` is no longer retained. Your headers are kept
   * except `Content-Type`. `Cache-Control` gets `no-transform`, so that no proxy or middleware buffers the pieces.
   */
  toResponse(init?: ResponseInit): Promise<Response>
}

export interface ReplyPort {
  readonly conversations: Pick<Conversations, 'get'>
  readonly runs: Pick<Runs, 'get' | 'wait' | 'events'>
  readonly start: () => Promise<ReplyStart>
  readonly options: Pick<WaitOptions, 'signal' | 'headers' | 'requestId'>
  /** The program has received a part of the reply. */
  readonly onTaken: () => void
  readonly timing: Timing
  readonly report: DecisionListener
}

export function createReply({ conversations, runs, start, options, onTaken, timing, report }: ReplyPort): Reply {
  let begin: number | undefined
  let latest: EventStream | undefined

  const open = (runId: string, given: Pick<StreamOptions, 'signal' | 'after' | 'onOpen' | 'waitForStream'>) => {
    latest = runs.events(runId, { ...options, ...given })
    return latest
  }

  /** Marks the reply as taken when the program has received it. */
  async function* markTaken<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
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
    const { runId, after } = await start()
    begin = after
    yield* open(runId, { signal, after })
  }

  /** Whether pieces of the message precede this event. A resumed reader received them before its position. */
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

  /** The activities that changed before an event, by ID, for a resumed reader. */
  const activitiesBefore = async (
    runId: string,
    { seq }: EventEnvelope,
    signal: AbortSignal,
  ): Promise<Map<string, Activity>> => {
    const known = new Map<string, Activity>()
    for await (const event of runs.events(runId, { ...options, signal })) {
      if (event.seq >= seq) break
      if (event.type === 'assistant.activity') apply(known, event.payload.activity)
    }
    return known
  }

  /**
   * Yields the deltas of a streamed message or the text of an unstreamed one, never both; each change of an activity;
   * and finally the end of the run. While no stream is free, it reads snapshots.
   */
  async function* progress(
    signal: AbortSignal,
    onOpen?: () => void,
  ): AsyncGenerator<TextPiece | ActivityPiece | RunEnd, void, undefined> {
    const { runId, conversationId, after, isResumed } = await start()
    begin = after
    /** The length of the text that was already yielded for each message, in UTF-16 code units. */
    const given = new Map<string | null, number>()
    let known = isResumed ? null : new Map<string, Activity>()
    // A snapshot does not tell which part of a message a resumed reader already has.
    let waitForStream = isResumed
    let isPollReported = false
    for (;;) {
      try {
        for await (const event of open(runId, { signal, after: begin, onOpen, waitForStream })) {
          const { seq } = event
          if (event.type === 'assistant.delta') {
            const { message_id, payload } = event
            given.set(message_id, (given.get(message_id) ?? 0) + payload.text.length)
            yield { seq, message_id, text: payload.text }
          } else if (event.type === 'assistant.message') {
            const { text } = event.payload.message.content
            if (text && !given.has(event.message_id) && !(isResumed && (await hadPieces(runId, event, signal))))
              yield { seq, message_id: event.message_id, text }
          } else if (event.type === 'assistant.activity') {
            known ??= await activitiesBefore(runId, event, signal)
            const activity = apply(known, event.payload.activity)
            if (activity) yield { seq, message_id: event.message_id, activity }
          } else if (isTerminalRunEvent(event)) {
            const { state, result, ...payload } = event.payload
            return yield { seq, state, error: 'error' in payload ? payload.error : null, result }
          }
        }
        const { state, result } = await runs.get(runId, { ...options, signal })
        return yield { seq: null, state, error: result?.error ?? null, result }
      } catch (error) {
        if (!isApiError(error, 'STREAM_LIMIT') || waitForStream) throw error
        if (!isPollReported) report({ kind: 'poll', operationId: 'streamRunEvents', error })
        isPollReported = true
        begin = latest?.position ?? begin
        latest = undefined
        const read = () => conversations.get(conversationId, { ...options, signal })
        try {
          for await (const snapshot of snapshotsUntilRetry({ refusal: error, read, timing, signal })) {
            yield* newProgress(snapshot, runId, given, known ?? new Map())
            begin = snapshot.watermark
            const run = snapshot.runs.find((each) => each.run_id === runId)
            if (run === undefined || !isFinished(run.state)) continue
            const { state, result } = await runs.get(runId, { ...options, signal })
            return yield { seq: snapshot.watermark, state, error: result?.error ?? null, result }
          }
        } catch (failure) {
          signal.throwIfAborted()
          if (!(failure instanceof GatewayError)) throw failure
          // Without permission to read the conversation, only waiting is possible.
          waitForStream = !isTransientError(failure)
        }
      }
    }
  }

  /** The new parts of the run's messages in a snapshot. */
  function* newProgress(
    { watermark, messages }: Snapshot,
    runId: string,
    given: Map<string | null, number>,
    known: Map<string, Activity>,
  ): Generator<TextPiece | ActivityPiece, void, undefined> {
    const pieces = messages
      .filter(({ run_id, role }) => run_id === runId && role === 'assistant')
      .flatMap(({ message_id, content: { text = '', activities = [] } }) => [
        ...activities
          .filter((activity) => !isEqualJson(activity, known.get(activity.activity_id)))
          .map((activity) => ({ message_id, activity, length: 0 })),
        ...(text.length > (given.get(message_id) ?? 0)
          ? [{ message_id, text: text.slice(given.get(message_id)), length: text.length }]
          : []),
      ])
    for (const [index, { length, ...piece }] of pieces.entries()) {
      if ('activity' in piece) known.set(piece.activity.activity_id, piece.activity)
      else given.set(piece.message_id, length)
      // Only the last item has the watermark as its position, so that resuming after an earlier item misses nothing.
      yield { seq: index === pieces.length - 1 ? watermark : (begin ?? 0), ...piece }
    }
  }

  async function* pieces(signal: AbortSignal): AsyncGenerator<TextPiece, void, undefined> {
    let text = ''
    for await (const item of progress(signal)) {
      if ('text' in item) {
        text += item.text
        yield item
      } else if ('state' in item && item.state !== 'succeeded') {
        const { runId } = await start()
        throw new RunFailedError({ runId, state: item.state, error: item.error, text })
      }
    }
  }

  async function* texts(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    for await (const { text } of markTaken(pieces(signal))) yield text
  }

  async function* activities(signal: AbortSignal): AsyncGenerator<Activity, void, undefined> {
    for await (const item of progress(signal)) if ('activity' in item) yield item.activity
  }

  async function* textAndEnd(
    signal: AbortSignal,
    onOpen?: () => void,
  ): AsyncGenerator<TextPiece | RunEnd, void, undefined> {
    for await (const item of progress(signal, onOpen)) if (!('activity' in item)) yield item
  }

  /** One reading of the reply. It ends with the signal of the reply or its own. */
  const reading = <Item>(generate: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>, own?: AbortSignal) =>
    leavable(either(own, options.signal), (signal) => markTaken(generate(signal)))
  const read = (onOpen?: () => void) => reading((signal) => textAndEnd(signal, onOpen))
  const toStream = (items = read()): ReadableStream<Uint8Array> =>
    toEventStream({ start, items, timing, signal: options.signal })

  /** Begins to read, and rejects if the gateway refuses the position. Waits at most 5 s for the gateway's answer. */
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
    pieces: (options) => reading(pieces, options?.signal),
    activities: (options) => reading(activities, options?.signal),
    progress: (options) => reading(progress, options?.signal),
    events: () => reading(events),
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

/** Applies the change to the known activities; null if its activity is unknown. */
const apply = (known: Map<string, Activity>, change: ActivityUpdate): Activity | null => {
  const activity = changeActivity(known.get(change.activity_id), change)
  if (activity) known.set(change.activity_id, activity)
  return activity
}

const either = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one && other ? AbortSignal.any([one, other]) : (one ?? other)

/**
 * Whether two values are equal as JSON: an undefined member equals a missing one, and the order of members is
 * irrelevant.
 */
const isEqualJson = (one: unknown, other: unknown): boolean => {
  if (!isObject(one) || !isObject(other)) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isEqualJson(one[name], other[name]))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
