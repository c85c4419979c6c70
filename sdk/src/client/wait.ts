import { isApiError, TimeoutError } from '../errors.ts'
import type { StreamOptions } from '../events/stream-source.ts'
import type { DecisionListener } from '../transport/decision-report.ts'
import { followSignal } from '../transport/follow-signal.ts'
import type { Timing } from '../transport/timing.ts'
import type { CallOptions } from './options.ts'

/** How to wait for a record. */
export interface WaitSpec<T> {
  readonly operationId: string
  readonly poll: (options: CallOptions) => Promise<T>
  readonly isDone: (record: T) => boolean
  readonly wake: ((record: T, options: CallOptions & StreamOptions) => AsyncIterable<unknown>) | null
}

export interface WaitForOptions<T> {
  readonly operationId: string
  /** Reads the record. */
  readonly poll: (signal: AbortSignal) => Promise<T>
  readonly isDone: (value: T) => boolean
  /**
   * A stream of wake-ups, opened if the first poll was not enough. After an item, a poll may find a change; after the
   * end of the stream, a poll will find one. If the stream fails, the wait continues by polling. Null without a stream.
   */
  readonly wake: ((value: T, signal: AbortSignal) => AsyncIterable<unknown>) | null
  readonly timing: Timing
  readonly report: DecisionListener
  /** Total wait in milliseconds. */
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
}

/** Initial time between polls; it doubles with every poll, up to `MAX_GAP_MS`. */
const FIRST_GAP_MS = 250
const MAX_GAP_MS = 5_000
/** Added to the time between polls while the stream is open and silent. */
const QUIET_GAP_MS = 30_000

/** The wake-ups since the last poll began, merged so that any number of items cause one poll. */
type Heard = 0 | 1 | 2
const ITEM = 1
const END = 2

/**
 * Polls until `isDone`: after a wake-up, and otherwise at growing intervals, in case a wake-up is missed.
 * @throws {TimeoutError} not done within `deadlineMs`. Also rejects with the reason of `signal` and the errors of
 * `poll`.
 */
export async function waitFor<T>(options: WaitForOptions<T>): Promise<T> {
  const { operationId, poll, isDone, wake, timing, report, deadlineMs } = options
  const controller = followSignal(options.signal)
  const { signal } = controller
  const cancelDeadline = timing.after(deadlineMs, () =>
    controller.abort(
      new TimeoutError(`${operationId} showed no end within ${deadlineMs} ms; waiting again later is safe.`),
    ),
  )
  let heard: Heard = 0
  let isListening = false
  let check = (): void => {}
  signal.addEventListener('abort', () => check())

  const listen = async (events: AsyncIterable<unknown>): Promise<void> => {
    isListening = true
    try {
      for await (const _ of events) {
        heard = ITEM
        check()
      }
    } catch (error) {
      if (!signal.aborted) report({ kind: 'poll', operationId, error })
    }
    isListening = false
    heard = END
    check()
  }
  /** Resolves after the time, after a wake-up, or at the end of the wait. */
  const rest = (delayMs: number, enough: Heard): Promise<void> =>
    new Promise((resolve) => {
      const cancel = timing.after(delayMs, resolve)
      check = () => {
        if (heard < enough && !signal.aborted) return
        cancel()
        resolve()
      }
      check()
    })

  try {
    for (let polls = 0; ; polls++) {
      signal.throwIfAborted()
      heard = 0
      const value = await poll(signal)
      if (isDone(value)) return value
      if (polls === 0 && wake) void listen(wake(value, signal))
      const gapMs = Math.min(MAX_GAP_MS, FIRST_GAP_MS * 2 ** polls)
      await rest(gapMs * (0.5 + timing.random() / 2), END)
      if (isListening) await rest(QUIET_GAP_MS, ITEM)
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    controller.abort()
    cancelDeadline()
  }
}

/**
 * The events from now on, for a wait that has already read the state. Yields one item first, because the state may have
 * changed since. If the key may not read the conversation, yields all events of `open`.
 * @param position The position of this client's open stream of the same events, which the wait shares; undefined for none.
 */
export async function* eventsFromNow(
  position: number | null | undefined,
  readSnapshot: () => Promise<{ readonly watermark: number }>,
  open: (after: number | undefined) => AsyncIterable<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const after = position === undefined ? await readWatermark(readSnapshot) : (position ?? undefined)
  yield after
  yield* open(after)
}

const readWatermark = (readSnapshot: () => Promise<{ readonly watermark: number }>): Promise<number | undefined> =>
  readSnapshot().then(
    ({ watermark }) => watermark,
    (error: unknown) => {
      if (isApiError(error, 'PERMISSION_DENIED')) return undefined
      throw error
    },
  )
