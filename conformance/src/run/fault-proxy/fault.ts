/** The part of an answer in which a byte position counts: the head and the body as on the wire, or the body alone. */
export type AnswerPart = 'answer' | 'body'

/**
 * How a connection ends early: with a reset (RST), or with an orderly close (FIN) that leaves the HTTP message
 * incomplete.
 */
export type Break = 'reset' | 'end'

/**
 * A change that the proxy makes to one exchange.
 *
 * Positions count bytes on the wire to the client, including chunked framing. `afterEvents` counts only events with
 * data, so that `retry:` and comments do not count. A shorter answer passes unchanged.
 */
export type Fault =
  /** Forwards the request and its answer unchanged. */
  | { readonly kind: 'pass' }
  /** Reads the request, sends nothing to the target, and resets the connection. */
  | { readonly kind: 'drop-request' }
  /**
   * Waits for the target's complete answer, sends none of it, and resets the connection: the request took effect, but
   * its answer is lost.
   */
  | { readonly kind: 'lose-answer' }
  /** Breaks the connection after exactly `atByte` bytes. `of` defaults to `answer`, `how` to `reset`. */
  | { readonly kind: 'cut-answer'; readonly atByte: number; readonly of?: AnswerPart; readonly how?: Break }
  /**
   * Ends an event stream after `afterEvents` events. `how` defaults to `reset`; with `complete`, a client cannot
   * distinguish it from a finished stream.
   */
  | { readonly kind: 'cut-stream'; readonly afterEvents: number; readonly how?: Break | 'complete' }
  /** Sends exactly `atByte` bytes, and then stays silent without closing. `of` defaults to `answer`. */
  | { readonly kind: 'half-open'; readonly atByte: number; readonly of?: AnswerPart }
  /** Sends `afterEvents` events of an event stream, and then stays silent without closing. */
  | { readonly kind: 'half-open'; readonly afterEvents: number }
  /**
   * Sends the request to the target twice: the second after the answer to the first (`in-turn`, the default), or both
   * `together`. The client gets the second answer.
   */
  | { readonly kind: 'deliver-twice'; readonly how?: 'in-turn' | 'together' }
  /** Answers instead of the target. See {@link CannedAnswer}. */
  | ({ readonly kind: 'answer' } & CannedAnswer)
  /** Sends these bytes, including the head, and closes. The target gets no request. */
  | { readonly kind: 'raw-answer'; readonly bytes: Uint8Array }
  /** Requests an answer without content coding from the target, and compresses it without delaying any part. */
  | { readonly kind: 'gzip' }
  /** Sends the answer in TCP writes of `every` bytes each. */
  | { readonly kind: 'chunk'; readonly every: number }
  /** Sends the answer in TCP writes of these sizes, cycling through the list. */
  | { readonly kind: 'chunk'; readonly sizes: readonly number[] }
  /** Replaces every line break of the content by CRLF, CR or LF. All three are legal in event streams. */
  | { readonly kind: 'rewrite-line-endings'; readonly to: 'crlf' | 'cr' | 'lf' }
  /** Lets the target answer, and delays the answer until the promise settles. */
  | { readonly kind: 'delay-answer'; readonly until: Promise<unknown> }

/** An answer that does not come from the target. */
export interface CannedAnswer {
  readonly status: number
  /** `content-length` is added if it is absent. A value that is too large makes an incomplete answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: empty. */
  readonly body?: string | Uint8Array
  /** Whether the target also gets the request; its answer is discarded. Default false. */
  readonly reachesTarget?: boolean
}

/** Which requests get which faults. */
export interface FaultRule {
  /** Default: every method. */
  readonly method?: string
  /**
   * A string must equal the path without its query. A regular expression is tested against the path with it. Default:
   * every path.
   */
  readonly path?: string | RegExp
  /**
   * One fault, or several combined. Faults on content (`cut-stream`, `half-open` after events, `rewrite-line-endings`,
   * `gzip`) are applied first, in the order of the list, and then those on bytes.
   */
  readonly fault: Fault | readonly Fault[]
  /** Number of requests that get the fault. Default 1; `Infinity` for all. */
  readonly times?: number
}
