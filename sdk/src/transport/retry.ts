/**
 * The retry rules: which requests are sent again, after which failure, and when. No clock and no I/O. A caller's abort
 * and a deadline that passes during the wait end the retries in `retry-loop.ts`.
 *
 * A call is sent again (`nextDelayMs`) when all of this is true:
 * - The failure is transient (`verdictOf`): no complete answer of the gateway arrived, the error answer has a transient
 *   code or, if its code says nothing, a transient status (`judge`), or no connection could be made for a temporary
 *   reason. Examples of the first: a broken connection, a timeout, a success whose status or type is not the expected
 *   one.
 * - It may be repeated (`isRepeatable`), or no attempt so far can have taken effect (`addFailure`).
 * - It has attempts and time left for the wait, which is never shorter than `Retry-After`. While no attempt can have
 *   taken effect, an address that cannot be reached is tried for at most `UNREACHABLE_MS`.
 *
 * An event stream is opened again (`planReconnect`) after a transient failure, until it has made no progress for
 * `streamPatienceMs`. `client.replay(handle)` sends nothing when the gateway may have forgotten its key
 * (`isForgotten`).
 *
 * `retry-loop.ts` applies the rules to calls, `events/follow.ts` to streams, and `client/recorded.ts` and
 * `webhooks/webhook-sender.ts` to replays of a handle.
 */
import { ApiError, GatewayError, isApiError, NotSentError, UnreadableAnswerError } from '../errors.ts'
import { CODE_VERDICTS, type CodeVerdict } from '../generated/errors.ts'
import type { Repeat } from '../generated/operations.ts'

// The result of an attempt

/**
 * What a failed attempt says about the intention:
 * `none`: this attempt had no effect; `none-ever`: no attempt under the key had one or can have one any more;
 * `unknown`: it may have taken effect.
 */
export type Effect = 'none' | 'none-ever' | 'unknown'

export interface Verdict {
  /** Whether the same request may succeed later without any change. */
  readonly isTransient: boolean
  readonly effect: Effect
}

/** No complete answer of the gateway arrived: the request may or may not have taken effect. */
export const NO_ANSWER: Verdict = { isTransient: true, effect: 'unknown' }

/**
 * Classifies an error answer by its status, which may be a proxy's, and by its code if there is one.
 * @param outcome What the problem says about the outcome: `unknown` if the gateway itself does not know it (D-57).
 */
export function judge(status: number, code: string | null, outcome: string | undefined): Verdict {
  const named: CodeVerdict | undefined = CODE_VERDICTS[code ?? '']
  const said = named?.status === status ? named : undefined
  const isServers = status >= 500
  return {
    isTransient:
      said?.isTransient ?? ([408, 425, 429].includes(status) || (isServers && status !== 501 && status !== 505)),
    effect: outcome === 'unknown' ? 'unknown' : (said?.effect ?? (isServers || status === 408 ? 'unknown' : 'none')),
  }
}

/** Classifies the failure of an attempt. */
export function verdictOf(error: GatewayError): Verdict {
  if (error instanceof ApiError) return judge(error.status, error.code, error.problem?.outcome)
  if (error instanceof UnreadableAnswerError) return { isTransient: false, effect: 'unknown' }
  return error instanceof NotSentError ? { isTransient: error.isTransient, effect: 'none' } : NO_ANSWER
}

/** Whether the same request may succeed later without any change. */
export const isTransientError = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && verdictOf(error).isTransient

/** Whether a write that ended with this error had no effect; if its effect is unknown, it ends with another error. */
export const isRefusal = (error: unknown): error is ApiError | NotSentError =>
  error instanceof ApiError || error instanceof NotSentError

/** How long the gateway asks to wait, in milliseconds; null without a valid `Retry-After`. */
export const retryAfterOf = (error: GatewayError): number | null =>
  error instanceof ApiError ? error.retryAfterMs : null

// Which requests may be repeated

/** The properties that decide whether a request may be repeated. */
export interface Sendable {
  readonly isWrite: boolean
  /** The effect of repeating a write without a key, from the contract. */
  readonly repeat: Repeat
  /** The handle of a write with an idempotency key; null without a key. */
  readonly handle: object | null
}

/**
 * Whether it may be sent again even if an earlier attempt may have taken effect: reads, and writes that take effect
 * only once.
 */
export const isRepeatable = ({ isWrite, handle, repeat }: Sendable): boolean =>
  !isWrite || handle !== null || repeat !== 'again'

/** Whether NOT_FOUND means success: an earlier attempt of the same delete may have taken effect. */
export const isGone = (error: GatewayError, { repeat }: Sendable, mayHaveHappened: boolean): boolean =>
  repeat === 'gone' && mayHaveHappened && isApiError(error, 'NOT_FOUND')

/** Whether the gateway may have forgotten a key by now (D-12, D-34): a replay could do the work a second time. */
export const isForgotten = (rememberedUntil: string, nowMs: number): boolean => nowMs >= Date.parse(rememberedUntil)

// When a call is sent again

/** How long to wait between attempts, in milliseconds. */
export interface Backoff {
  /** Upper bound of the first wait; doubles with every attempt. */
  readonly baseMs: number
  /** Upper bound of every wait. `Retry-After` may ask for longer. */
  readonly maxMs: number
}

/**
 * The wait before the next attempt: full jitter under an exponential bound, but never less than the gateway asked for.
 * @param failures Attempts that have failed in a row, from 1.
 * @param random From 0 to 1.
 */
export const retryDelayMs = (
  { baseMs, maxMs }: Backoff,
  failures: number,
  random: number,
  retryAfterMs: number | null,
): number => Math.max(Math.round(random * Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30))), retryAfterMs ?? 0)

/** How long an address that cannot be reached is tried, while nothing was sent that could have taken effect. */
export const UNREACHABLE_MS = 8_000

/** The results of a call's attempts so far. */
export interface Past {
  /** Attempts that have failed. */
  readonly failures: number
  /** Whether one of them, or one before this call, may have taken effect. */
  readonly mayHaveHappened: boolean
  /** Since when nothing could be sent; null when the last attempt was sent. */
  readonly unreachableSinceMs: number | null
}

/** The limits of a call. */
export interface RetryLimits {
  readonly isRepeatable: boolean
  readonly maxAttempts: number
  readonly backoff: Backoff
  /** Its deadline. */
  readonly deadlineMs: number
}

/** A failed attempt, and the moment when it began. */
export interface Failure {
  readonly error: GatewayError
  readonly verdict: Verdict
  readonly attemptedAtMs: number
}

/** The past with one more failure. Only `none-ever` rules out that an earlier attempt took effect. */
export const addFailure = (before: Past, { error, verdict: { effect }, attemptedAtMs }: Failure): Past => ({
  failures: before.failures + 1,
  mayHaveHappened: effect === 'unknown' || (before.mayHaveHappened && effect === 'none'),
  unreachableSinceMs: error instanceof NotSentError ? (before.unreachableSinceMs ?? attemptedAtMs) : null,
})

/**
 * How long to wait before the same request is sent again; null if it is not sent again.
 * @param past With the failure.
 * @param random From 0 to 1.
 */
export function nextDelayMs(
  { isRepeatable, maxAttempts, backoff, deadlineMs }: RetryLimits,
  { failures, mayHaveHappened, unreachableSinceMs }: Past,
  { error, verdict }: Failure,
  nowMs: number,
  random: number,
): number | null {
  const delayMs = retryDelayMs(backoff, failures, random, retryAfterOf(error))
  const untilMs =
    unreachableSinceMs === null || mayHaveHappened
      ? deadlineMs
      : Math.min(deadlineMs, unreachableSinceMs + UNREACHABLE_MS)
  const maySend = verdict.isTransient && (isRepeatable || !mayHaveHappened) && failures < maxAttempts
  return maySend && nowMs + delayMs < untilMs ? delayMs : null
}

// When a stream is opened again

/** Connections of a stream that have failed in a row, and the moment of the first failure. */
export interface Failing {
  readonly failures: number
  readonly sinceMs: number
}

/** The limits of a stream, and the gateway's requested delay. */
export interface ReconnectLimits {
  readonly backoff: Backoff
  /** How long reconnecting may fail without progress. */
  readonly patienceMs: number
  /** The reconnection time that the gateway requests. */
  readonly retryMs: number
}

/** When a stream is opened again. */
export interface Reconnect {
  readonly failing: Failing
  readonly elapsedMs: number
  readonly delayMs: number
  /** Whether the wait would outlast the patience. */
  readonly isOver: boolean
}

/** @param before Null after progress. */
export function planReconnect(
  { backoff, patienceMs, retryMs }: ReconnectLimits,
  before: Failing | null,
  error: GatewayError,
  nowMs: number,
  random: number,
): Reconnect {
  const failing = { failures: (before?.failures ?? 0) + 1, sinceMs: before?.sinceMs ?? nowMs }
  const elapsedMs = nowMs - failing.sinceMs
  // The gateway's delay is the minimum. The client's backoff on top spreads clients that were disconnected together.
  const delayMs = Math.max(retryMs + retryDelayMs(backoff, failing.failures, random, null), retryAfterOf(error) ?? 0)
  return { failing, elapsedMs, delayMs, isOver: elapsedMs + delayMs > patienceMs }
}

// The Retry-After header

/** Longest delay of a timer: a longer one would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/**
 * All three date forms start with the day name and contain a time. `Date.parse` alone would accept "maybe 5" and "1.5".
 */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d\d:\d\d:\d\d/i

/**
 * A `Retry-After` header, in seconds or as an HTTP date, as milliseconds from now, 25 days at most; null if it is
 * absent or invalid.
 */
export function parseRetryAfterMs(value: string | null, nowMs: number): number | null {
  if (value === null) return null
  const text = value.trim()
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_WAIT_MS)
  if (!HTTP_DATE.test(text)) return null
  // The asctime form names no zone; it means GMT like the others, not the zone of this machine.
  const at = Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - nowMs), LONGEST_WAIT_MS)
}
