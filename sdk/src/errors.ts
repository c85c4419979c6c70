import type { ErrorCode } from './generated/errors.ts'
import type { FieldError, Problem, RunError, RunState } from './generated/gateway.ts'
import type { ReplayHandle } from './replay-handle.ts'

/** Base class of the errors of calls and streams; `requestId` is the gateway's, null without an answer. */
export abstract class GatewayError extends Error {
  readonly requestId: string | null

  constructor(message: string, options: { readonly cause?: unknown; readonly requestId?: string | null } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.requestId = options.requestId ?? null
  }
}

/** The first faulty field. Messages never repeat a value. */
function describeFirst({ problem }: ApiErrorDetails): string {
  const [first, ...others] = problem?.errors ?? []
  if (first === undefined) return ''
  return ` ${first.pointer.slice(0, 200) || 'The body'} ${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`
}

/** The members of an {@link ApiError}. */
export interface ApiErrorDetails {
  /** A code of the contract, or of a later gateway; null if the answer was not the gateway's. */
  readonly code: ErrorCode | (string & {}) | null
  readonly status: number
  readonly detail: string
  readonly requestId: string | null
  readonly retryAfterMs: number | null
  readonly problem: Problem | null
  readonly response: Response
}

/**
 * The gateway answered with an error. For a write it also means that nothing happened; if the write may have happened,
 * the error is an {@link UnknownOutcomeError}.
 */
export class ApiError extends GatewayError {
  override readonly name: string = 'ApiError'
  readonly code: ErrorCode | (string & {}) | null
  /** HTTP status. */
  readonly status: number
  /** How long the gateway asks to wait, in milliseconds; null without a valid `Retry-After`. */
  readonly retryAfterMs: number | null
  /** The parsed problem document (D-08); null if something else answered, for instance a proxy. */
  readonly problem: Problem | null
  readonly #response: Response

  constructor(details: ApiErrorDetails) {
    super(
      `${details.status}${details.code === null ? '' : ` ${details.code}`}: ${details.detail}${describeFirst(details)}`,
      details,
    )
    this.code = details.code
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
    this.problem = details.problem
    this.#response = details.response
  }

  /** The raw answer; its body has been read. */
  get response(): Response {
    return this.#response
  }

  /** The faulty fields of a 400, each named by a JSON pointer or the name of a header or parameter. */
  get fields(): readonly FieldError[] {
    return this.problem?.errors ?? []
  }
}

/**
 * 410 CURSOR_EXPIRED: events after the position are no longer retained. Reload the snapshot and resume from its
 * watermark.
 */
export class CursorExpiredError extends ApiError {
  override readonly name = 'CursorExpiredError'
}

/**
 * No usable answer arrived: the connection failed, or the answer was truncated or was not the gateway's. See `cause`.
 */
export class ConnectionError extends GatewayError {
  override readonly name = 'ConnectionError'
}

/**
 * The answer is larger than `maxAnswerBytes`, or the caller's `fetch` returned a body that cannot be read. A retry
 * would fail in the same way. The request may have taken effect.
 */
export class UnreadableAnswerError extends ConnectionError {}

/** The deadline of the call or wait passed, or the last attempt took too long. */
export class TimeoutError extends GatewayError {
  override readonly name = 'TimeoutError'
}

/**
 * Nothing was sent that could have had an effect: the gateway could not be reached (connection refused, unknown name,
 * bad certificate), the outbox could not record the write, or the signal was aborted first. The message names the
 * cause.
 */
export class NotSentError extends GatewayError {
  override readonly name = 'NotSentError'
  /** Whether a later attempt may succeed. False for a fault of the set-up, such as a wrong certificate. */
  readonly isTransient: boolean

  constructor(message: string, options: { readonly cause?: unknown; readonly isTransient?: boolean } = {}) {
    super(message, options)
    this.isTransient = options.isTransient ?? true
  }
}

/**
 * It is unknown whether the call took effect: an answer was lost, and no later attempt settled the outcome. Keep the
 * `handle` and settle it with `client.replay(handle)`, in this or another process. Calling the method again would be a
 * new intention and could do the work twice. `cause` is the error of the last attempt, or the reason of an abort.
 */
export class UnknownOutcomeError<Handle extends ReplayHandle | null = ReplayHandle | null> extends GatewayError {
  override readonly name = 'UnknownOutcomeError'
  /** Serialisable with JSON; contains the body but no API key. Null for operations that have no idempotency key. */
  readonly handle: Handle

  constructor(message: string, handle: Handle, cause: unknown) {
    super(message, { cause, requestId: cause instanceof GatewayError ? cause.requestId : null })
    this.handle = handle
  }
}

/** The stream made no progress within `streamPatienceMs`. Resume after `position` later, or read the run. */
export class StreamInterruptedError extends GatewayError {
  override readonly name = 'StreamInterruptedError'
  /** The seq to resume after; null if no event was received and no position was given. */
  readonly position: number | null

  constructor(message: string, position: number | null, cause: unknown) {
    super(message, { cause, requestId: cause instanceof GatewayError ? cause.requestId : null })
    this.position = position
  }
}

/**
 * Whether this is an {@link ApiError}, with this code if one is given. Compares names instead of classes, so it works
 * across copies of the package.
 */
export const isApiError = <Code extends ErrorCode = never>(
  error: unknown,
  code?: Code,
): error is [Code] extends [never] ? ApiError : ApiError & { readonly code: Code } =>
  error instanceof Error &&
  (error.name === 'ApiError' || error.name === 'CursorExpiredError') &&
  'code' in error &&
  (code === undefined || error.code === code)

/** Whether this is an {@link UnknownOutcomeError}; works across copies of the package. */
export const isUnknownOutcome = (error: unknown): error is UnknownOutcomeError =>
  error instanceof Error && error.name === 'UnknownOutcomeError' && 'handle' in error

/** The run of a reply ended without success. `text` has the partial text. */
export class RunFailedError extends GatewayError {
  override readonly name = 'RunFailedError'
  readonly runId: string
  /** `failed`, `cancelled`, `interrupted`, `expired`, or a state of a later gateway. */
  readonly state: RunState
  /** Why the run failed; null in the other states. */
  readonly error: RunError | null
  /** The text so far, a partial answer. */
  readonly text: string

  constructor({ runId, state, error, text }: Pick<RunFailedError, 'runId' | 'state' | 'error' | 'text'>) {
    super(`Run ${runId} ended ${state}${error === null ? '' : `: ${error.code}: ${error.message}`}`)
    this.runId = runId
    this.state = state
    this.error = error
    this.text = text
  }
}
