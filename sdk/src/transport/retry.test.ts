import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from '../generated/errors.ts'
import { type Effect, judge, NO_ANSWER, parseRetryAfterMs, retryDelayMs, type Verdict } from './retry.ts'

const verdict = (isTransient: boolean, effect: Effect): Verdict => ({ isTransient, effect })
const FINAL = verdict(false, 'none')
const CHECKED = verdict(false, 'none-ever')

/** Every code; a missing one does not compile. */
const TABLE: Record<ErrorCode, Verdict> = {
  UNKNOWN_FIELD: CHECKED,
  INVALID_REQUEST: CHECKED,
  UNAUTHENTICATED: FINAL,
  PERMISSION_DENIED: FINAL,
  NOT_FOUND: CHECKED,
  METHOD_NOT_ALLOWED: FINAL,
  NOT_ACCEPTABLE: FINAL,
  GENERATION_CONFLICT: CHECKED,
  BUSY: FINAL,
  IDEMPOTENCY_CONFLICT: CHECKED,
  WEBHOOK_CONFLICT: CHECKED,
  CURSOR_EXPIRED: FINAL,
  PAYLOAD_TOO_LARGE: CHECKED,
  UNSUPPORTED_MEDIA_TYPE: CHECKED,
  QUEUE_FULL: verdict(true, 'none'),
  PENDING_LIMIT: verdict(true, 'none'),
  STREAM_LIMIT: verdict(true, 'none'),
  RATE_LIMITED: verdict(true, 'none'),
  INTERNAL: verdict(true, 'unknown'),
  CAPABILITY_UNAVAILABLE: verdict(true, 'none'),
  RETRY_REFUSED: FINAL,
  ALREADY_EXISTS: FINAL,
  ALREADY_DECIDED: FINAL,
  RUN_LOST: FINAL,
  STEPS_OUT_OF_ORDER: FINAL,
  SESSION_LIMIT: verdict(true, 'none'),
}

const codes = Object.keys(ERRORS) as ErrorCode[]

describe('the verdict about an answer', () => {
  it.each(codes)('with the code %s is that of the table', (code) => {
    expect(judge(ERRORS[code].status, code, undefined)).toEqual(TABLE[code])
  })

  it('follows the status if the code belongs to another status, so that a proxy cannot misuse a code', () => {
    expect(judge(502, 'GENERATION_CONFLICT', undefined)).toEqual(verdict(true, 'unknown'))
    expect(judge(400, 'QUEUE_FULL', undefined)).toEqual(FINAL)
  })

  it.each(['SOMETHING_LATER', 'constructor', '__proto__', 'toString', ''])(
    'depends on the status when the code %s is unknown',
    (code) => {
      expect(judge(409, code, undefined)).toEqual(FINAL)
      expect(judge(503, code, undefined)).toEqual(verdict(true, 'unknown'))
    },
  )

  it('without a code: 408, 425, 429 and 5xx are transient, except 501 and 505', () => {
    const passing = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
      (status) => judge(status, null, undefined).isTransient,
    )
    const failures = Array.from({ length: 100 }, (_, index) => 500 + index).filter(
      (each) => each !== 501 && each !== 505,
    )
    expect(passing).toEqual([408, 425, 429, ...failures])
  })

  it('without a code: only 408 and 5xx may have taken effect', () => {
    for (let status = 300; status < 600; status++)
      expect(judge(status, null, undefined).effect).toBe(status === 408 || status >= 500 ? 'unknown' : 'none')
  })

  it('is unknown if the gateway itself reports an unknown outcome [IDEM-26]', () => {
    expect(judge(503, 'CAPABILITY_UNAVAILABLE', 'unknown')).toEqual(verdict(true, 'unknown'))
    expect(judge(503, 'CAPABILITY_UNAVAILABLE', undefined)).toEqual(verdict(true, 'none'))
    expect(judge(503, 'CAPABILITY_UNAVAILABLE', 'something-later')).toEqual(verdict(true, 'none'))
  })

  it('is unknown without an answer', () => {
    expect(NO_ANSWER).toEqual(verdict(true, 'unknown'))
  })
})

const BACKOFF = { baseMs: 250, maxMs: 8_000 }
const NOW = Date.parse('1994-11-06T08:49:00Z')

describe('a Retry-After header', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
    ['Sun Nov  6 08:49:37 1994', 37_000],
    ['99999999999', 2 ** 31 - 1],
    ['9'.repeat(400), 2 ** 31 - 1],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 2 ** 31 - 1],
  ])('%s is parsed as a delay', (value, expectedMs) => {
    expect(parseRetryAfterMs(value, NOW)).toBe(expectedMs)
  })

  it('with a date in the past means no delay', () => {
    expect(parseRetryAfterMs('Sun, 06 Nov 1994 08:48:00 GMT', NOW)).toBe(0)
  })

  it.each([null, '', 'soon', '-5', '1.5', '1e3', '0x10', '120, 120', 'maybe 5', 'Nov 2030', 'Sun, 06 Nov 1994 8h GMT'])(
    'that is %s is treated as absent',
    (value) => {
      expect(parseRetryAfterMs(value, NOW)).toBeNull()
    },
  )

  it('is read the same in every time zone', () => {
    const before = process.env.TZ
    process.env.TZ = 'America/New_York'
    try {
      expect(parseRetryAfterMs('Sun Nov  6 08:49:37 1994', NOW)).toBe(37_000)
    } finally {
      process.env.TZ = before ?? ''
      if (before === undefined) delete process.env.TZ
    }
  })

  it('is a delay of at least zero, or null', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const waitMs = parseRetryAfterMs(value, NOW)
        expect(waitMs === null || waitMs >= 0).toBe(true)
      }),
    )
  })
})

describe('the wait before the next attempt', () => {
  it.each([
    [1, 250],
    [2, 500],
    [3, 1_000],
    [5, 4_000],
    [6, 8_000],
    [7, 8_000],
    [5_000, 8_000],
  ])('after %i failures is between 0 and %i ms', (failures, boundMs) => {
    expect(retryDelayMs(BACKOFF, failures, 0, null)).toBe(0)
    expect(retryDelayMs(BACKOFF, failures, 0.5, null)).toBe(boundMs / 2)
    expect(retryDelayMs(BACKOFF, failures, 1, null)).toBe(boundMs)
  })

  it('is never shorter than Retry-After, and may exceed the cap for it [ERR-15]', () => {
    expect(retryDelayMs(BACKOFF, 1, 0, 2_000)).toBe(2_000)
    expect(retryDelayMs(BACKOFF, 9, 1, 60_000)).toBe(60_000)
    expect(retryDelayMs(BACKOFF, 4, 1, 1)).toBe(2_000)
  })

  it('stays between the floor and the larger of floor and cap, whatever happened before [ERR-15]', () => {
    const nat = fc.integer({ min: 1, max: 100_000 })
    const chance = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(nat, nat, nat, chance, fc.option(fc.nat()), (baseMs, maxMs, failures, random, retryAfterMs) => {
        const delayMs = retryDelayMs({ baseMs, maxMs }, failures, random, retryAfterMs)
        expect(delayMs).toBeGreaterThanOrEqual(retryAfterMs ?? 0)
        expect(delayMs).toBeLessThanOrEqual(Math.max(maxMs, retryAfterMs ?? 0))
      }),
    )
  })
})
