import type { StreamInfo } from '../generated/operations.ts'
import type { Decision } from '../transport/decision-report.ts'
import type { Observe, ObservedCall } from '../transport/observed-call.ts'
import type { Backoff } from '../transport/retry.ts'
import type { Timing } from '../transport/timing.ts'

/**
 * The state of a stream's last event: not written yet (`running`), at or before the position or pruned (`passed`), or
 * written but not proven to be either (`awaited`).
 */
export type EndPlace = 'running' | 'passed' | 'awaited'

/** What a subscription needs from the rest of the client. */
export interface StreamSource {
  readonly operationId: string
  readonly info: StreamInfo
  /**
   * One attempt to open a connection. Resolves with a 200 whose body is an unread event stream; rejects with the error
   * of the attempt, or the reason of `signal`. Aborting `signal` ends the connection.
   * @param call Reports the stream's connections to hooks.
   * @param position The seq to resume after; null starts at the oldest retained event.
   */
  open(call: ObservedCall, position: number | null, signal: AbortSignal): Promise<Response>
  /** Searches for the end of the observed run; null for streams without an end. */
  readonly findEnd: ((position: number | null, signal: AbortSignal) => Promise<EndPlace>) | null
  readonly observe: Observe
  readonly timing: Timing
  readonly backoff: Backoff
  /** How long reconnecting may fail, in milliseconds, before the stream gives up. Progress restarts this time. */
  readonly patienceMs: number
  /** Whether to retry a connection that was refused with `STREAM_LIMIT`; otherwise the refusal ends the stream. */
  readonly waitForStream: boolean
  /** Largest frame, in characters. */
  readonly maxFrameLength: number
  readonly report: (decision: Decision) => void
}

/** Options of every event stream. */
export interface StreamOptions {
  /**
   * The seq to resume after: a `watermark`, an `event_cursor` or a seq seen before. Without it, from the oldest
   * retained event.
   */
  readonly after?: number | undefined
  /** Called once, when the gateway has accepted the position and before the first event. */
  readonly onOpen?: (() => void) | undefined
  /** Ends the stream; the iteration rejects with the signal's reason. Cancels nothing at the gateway. */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether to wait while the gateway has no stream free (429 `STREAM_LIMIT`). Default true. With false the iteration
   * rejects with that `ApiError`, so that the caller can read the snapshot meanwhile.
   */
  readonly waitForStream?: boolean | undefined
  /** Sent with each of its connections. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The caller's request ID for its requests: 1-128 visible ASCII characters (D-10). Default: the gateway creates one
   * for each.
   */
  readonly requestId?: string | undefined
}
