/** Which part of an answer a byte position counts in: the head and the body as they are on the wire, or the body alone. */
export type AnswerPart = 'answer' | 'body'

/**
 * How a connection ends before its time: with a reset (RST), or with an orderly close (FIN) that leaves the HTTP message
 * incomplete.
 */
export type Break = 'reset' | 'end'

/**
 * What the proxy does to one exchange.
 *
 * Positions count bytes as the client sees them on the wire, chunked framing included; `afterEvents` counts events of an
 * event stream that carry data, so that `retry:` and comments do not count. An answer that is shorter passes whole.
 */
export type Fault =
  /** Hands the request and its answer on unchanged. */
  | { readonly kind: 'pass' }
  /** Reads the request, sends nothing to the target, and resets the connection. */
  | { readonly kind: 'drop-request' }
  /**
   * Waits for the target's complete answer, sends none of it, and resets the connection: the request took effect, but its answer is lost.
   */
  | { readonly kind: 'lose-answer' }
  /** Breaks the connection after exactly `atByte` bytes. `of` defaults to `answer`, `how` to `reset`. */
  | { readonly kind: 'cut-answer'; readonly atByte: number; readonly of?: AnswerPart; readonly how?: Break }
  /**
   * Ends an event stream after `afterEvents` events. `how` defaults to `reset`; with `complete`, a client cannot distinguish it from a
   * finished stream.
   */
  | { readonly kind: 'cut-stream'; readonly afterEvents: number; readonly how?: Break | 'complete' }
  /** Sends exactly `atByte` bytes and then nothing more, without closing. `of` defaults to `answer`. */
  | { readonly kind: 'half-open'; readonly atByte: number; readonly of?: AnswerPart }
  /** Sends `afterEvents` events of an event stream and then nothing more, without closing. */
  | { readonly kind: 'half-open'; readonly afterEvents: number }
  /**
   * Sends the request to the target twice: the second once the first is answered (`in-turn`, the default), or both
   * `together`. The client gets the second answer.
   */
  | { readonly kind: 'deliver-twice'; readonly how?: 'in-turn' | 'together' }
  /** Answers in the target's place. See {@link CannedAnswer}. */
  | ({ readonly kind: 'answer' } & CannedAnswer)
  /** Sends these bytes, head included, and closes; the target gets no request. */
  | { readonly kind: 'raw-answer'; readonly bytes: Uint8Array }
  /** Asks the target for an answer without content coding and compresses it, without holding parts of it back. */
  | { readonly kind: 'gzip' }
  /** Sends every `every` bytes of the answer as a TCP write of their own. */
  | { readonly kind: 'chunk'; readonly every: number }
  /** Sends the answer in TCP writes of these sizes, in turn and from the beginning again. */
  | { readonly kind: 'chunk'; readonly sizes: readonly number[] }
  /** Writes every line break of the content, of any kind, as CRLF, CR or LF: all three are legal in event streams. */
  | { readonly kind: 'rewrite-line-endings'; readonly to: 'crlf' | 'cr' | 'lf' }
  /** Lets the target answer, and holds the answer back until the promise settles. */
  | { readonly kind: 'delay-answer'; readonly until: Promise<unknown> }

/** An answer that does not come from the target. */
export interface CannedAnswer {
  readonly status: number
  /** `content-length` is added where it is absent; one that is too large makes an answer that breaks off. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: empty. */
  readonly body?: string | Uint8Array
  /** Whether the target gets the request too, and its answer is thrown away. Default false. */
  readonly reachesTarget?: boolean
}

/** When which faults are used. */
export interface FaultRule {
  /** Default: every method. */
  readonly method?: string
  /** A string is compared with the path without its query, an expression tried on the path with it. Default: every path. */
  readonly path?: string | RegExp
  /**
   * One fault, or several that are combined. In the order of the list, those on content are used first (`cut-stream`,
   * `half-open` after events, `rewrite-line-endings`, `gzip`), then those on bytes.
   */
  readonly fault: Fault | readonly Fault[]
  /** For how many requests. Default 1; `Infinity` for all. */
  readonly times?: number
}
