/** Why an attempt or a connection failed. */
export type Trouble =
  /** No connection was made, or it broke before the answer was complete. */
  | 'connection'
  /** The attempt timed out. */
  | 'timeout'
  /** The answer was not the gateway's or was incomplete: HTML, broken JSON, a truncated body. */
  | 'broken-answer'
  /** An error answer; see `status` and `code`. */
  | 'refused'
  /** The stream's connection was closed. */
  | 'closed'
  /** No byte arrived for three ping intervals. */
  | 'idle'
  /** A frame was not an event of the contract, or larger than the limit. */
  | 'broken-frame'

interface DecisionBase {
  readonly operationId: string
  readonly trouble: Trouble
  readonly status: number | null
  readonly code: string | null
  readonly requestId: string | null
}

/** A decision that the client made, as passed to `onDecision`. Never contains a key, a header or a body. */
export type Decision =
  /** The same request is sent again after `delayMs`; `retryAfterMs` is the gateway's `Retry-After`. */
  | (DecisionBase & {
      readonly kind: 'replay'
      readonly attempt: number
      readonly delayMs: number
      readonly retryAfterMs: number | null
    })
  /** The stream is opened again after `position`, after `delayMs`. */
  | (DecisionBase & {
      readonly kind: 'reconnect'
      readonly attempt: number
      readonly delayMs: number
      readonly retryAfterMs: number | null
      readonly position: number | null
    })
  /** The stream's position is no longer retained, so the snapshot is read again. */
  | { readonly kind: 'reload'; readonly operationId: string; readonly position: number | null }
  /** A wait, a reply or a watch continues by polling, because it has no stream. Reported once. */
  | { readonly kind: 'poll'; readonly operationId: string; readonly error: unknown }
  /** The client stops retrying. The caller's error says what may have happened. */
  | (DecisionBase & { readonly kind: 'give-up'; readonly attempts: number; readonly elapsedMs: number })
  /**
   * A settled intention could not be deleted from the outbox, so `recover()` will replay it. An admitted one gets the
   * same answer; a refused one may then be admitted.
   */
  | { readonly kind: 'outbox-not-cleared'; readonly operationId: string; readonly error: unknown }
  /** A hook, the listener or the logger failed, or a hook returned an invalid header; the call continues. */
  | { readonly kind: 'hook-failed'; readonly operationId: string; readonly error: unknown }

/** The type of `onDecision`. An exception goes to the logger, if there is one, and does not fail the call. */
export type DecisionListener = (decision: Decision) => void
