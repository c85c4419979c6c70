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

/** Longest wait that a timer can have: a longer one would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** Day name first, time of day later: true of all three forms. `Date.parse` alone would make dates of "maybe 5" and "1.5". */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d\d:\d\d:\d\d/i

/**
 * A `Retry-After` header, seconds or an HTTP date, as milliseconds from now, 25 days at most; null when it is absent or
 * says neither.
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
