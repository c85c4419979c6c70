import type { CallbackDeliveryState } from './callback-delivery-state.ts'
import { nextAttemptAt, readRetryAfter } from './retry-schedule.ts'

/** The result of one attempt. */
export type AttemptResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** The header's value, if there was exactly one. */
      readonly retryAfter: string | null
      /** The beginning of the answer's body, for the operator. */
      readonly excerpt: string
    }
  /** No answer: a timeout, a failed look-up or connection, an invalid certificate. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Nothing was sent: the URL or one of its host's addresses is not allowed. */
  | { readonly kind: 'blocked'; readonly message: string }

/** Why the latest attempt failed; contains no text of the receiver. */
export interface DeliveryError {
  readonly message: string
  /** Null when there was no answer. */
  readonly status: number | null
}

export interface AttemptedDelivery {
  /** Attempts made in this window, the latest included. */
  readonly attempts: number
  readonly expiresAt: Date
}

/** The state that follows from an attempt. */
export interface SettledAttempt {
  readonly state: Extract<CallbackDeliveryState, 'delivered' | 'pending' | 'needs_action' | 'expired'>
  /** Null unless it is `pending`. */
  readonly nextAttemptAt: Date | null
  /** Null when it was delivered. */
  readonly error: DeliveryError | null
}

/** Answers after which the same request may succeed later (specification 15, "Delivery rules"). */
const isTemporary = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status < 600)

/**
 * The state of a delivery after an attempt. 2xx: `delivered`. No answer, 408, 425, 429 or 5xx: retried on schedule and
 * not before `Retry-After`, or `expired` if no attempt is left. Anything else, including redirects: `needs_action`.
 * @param random from 0 up to 1, for the jitter of the schedule.
 */
export const settleAttempt = (
  result: AttemptResult,
  { attempts, expiresAt }: AttemptedDelivery,
  now: Date,
  random: number,
): SettledAttempt => {
  if (result.kind === 'blocked')
    return { state: 'needs_action', nextAttemptAt: null, error: { message: result.message, status: null } }
  const isAnswer = result.kind === 'answered'
  if (isAnswer && result.status >= 200 && result.status < 300)
    return { state: 'delivered', nextAttemptAt: null, error: null }
  const error = isAnswer
    ? { message: `The receiver answered ${result.status}.`, status: knownStatus(result.status) }
    : { message: result.message, status: null }
  if (isAnswer && !isTemporary(result.status)) return { state: 'needs_action', nextAttemptAt: null, error }
  const notBefore = isAnswer ? readRetryAfter(result.retryAfter, now) : null
  const next = nextAttemptAt({ attempts, now, expiresAt, notBefore, random })
  return next === null
    ? { state: 'expired', nextAttemptAt: null, error }
    : { state: 'pending', nextAttemptAt: next, error }
}

/** An invalid HTTP status appears only in the message. */
const knownStatus = (status: number): number | null => (status >= 100 && status <= 599 ? status : null)
