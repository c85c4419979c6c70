/** When a callback is attempted again (D-39). */

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** After an event, or a manual retry, its delivery is attempted for this long. */
export const DELIVERY_WINDOW_MS = 24 * HOUR_MS

/** The pause after each attempt except the last. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
] as const

/** Attempts within one window. */
export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1

/** Jitter of a pause, as a fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.1

export interface RetryQuestion {
  /** Attempts made in this window, the latest included. */
  readonly attempts: number
  readonly now: Date
  /** End of the window. */
  readonly expiresAt: Date
  /** The earliest time that the receiver requested; null if none. */
  readonly notBefore: Date | null
  /** From 0 up to 1. */
  readonly random: number
}

/** The moment of the next attempt; null when no attempt is left, or it would fall outside the window. */
export const nextAttemptAt = ({ attempts, now, expiresAt, notBefore, random }: RetryQuestion): Date | null => {
  const delayMs = RETRY_DELAYS_MS[attempts - 1]
  if (delayMs === undefined) return null
  const scheduled = now.getTime() + Math.round(delayMs * (1 - JITTER + 2 * JITTER * random))
  const at = Math.max(scheduled, notBefore?.getTime() ?? 0)
  return at < expiresAt.getTime() ? new Date(at) : null
}

const SECONDS = /^[0-9]+$/
/** The latest moment that a `Date` can have. */
const LATEST_MS = 8.64e15
/** The forms of an HTTP date (RFC 9110, 5.6.7): the current one, and two obsolete ones that recipients must accept. */
const HTTP_DATES = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** The moment that a `Retry-After` names, in seconds or as an HTTP date; null for anything else. */
export const readRetryAfter = (value: string | null, now: Date): Date | null => {
  if (value === null) return null
  if (SECONDS.test(value)) return new Date(Math.min(now.getTime() + Number(value) * SECOND_MS, LATEST_MS))
  if (!HTTP_DATES.some((form) => form.test(value))) return null
  const ms = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(ms) ? null : new Date(ms)
}
