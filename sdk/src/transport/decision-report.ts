/** Why an attempt or a connection failed. */
export type Trouble =
  /** No connection, or it broke before the answer was complete. */
  | 'connection'
  /** The attempt took longer than it may. */
  | 'timeout'
  /** An answer came that is not the gateway's or not complete: HTML, broken JSON, a cut body. */
  | 'broken-answer'
  /** An error answer that may pass; `status` and `code` say which. */
  | 'refused'
  /** The stream's connection was closed. */
  | 'closed'
  /** No byte came for three ping intervals. */
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

/** A choice that the client made on its own, as told to `onDecision`. Never holds a key, a header or a body. */
export type Decision =
  /** The same request is sent again after `delayMs`; `retryAfterMs` is what the gateway asked for. */
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
  /** A wait, a reply or a watch goes on by polling, because its stream could not be had. Told once. */
  | { readonly kind: 'poll'; readonly operationId: string; readonly error: unknown }
  /** The client stops trying: what may have happened is in the error that the caller gets. */
  | (DecisionBase & { readonly kind: 'give-up'; readonly attempts: number; readonly elapsedMs: number })
  /** An answered intention could not be cleared from the outbox; `recover()` will meet it again and get the same answer. */
  | { readonly kind: 'outbox-not-cleared'; readonly operationId: string; readonly error: unknown }
  /** A hook threw, or returned what is no header; the call goes on without it. */
  | { readonly kind: 'hook-failed'; readonly operationId: string; readonly error: unknown }

/** What {@link Decision} listeners are given. An exception of theirs is ignored. */
export type DecisionListener = (decision: Decision) => void
