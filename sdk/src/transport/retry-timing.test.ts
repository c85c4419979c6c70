import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRetryAfterMs, retryDelayMs } from './retry-timing.ts'

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
  ])('%s is read as a wait', (value, expectedMs) => {
    expect(parseRetryAfterMs(value, NOW)).toBe(expectedMs)
  })

  it('with a date in the past asks for no wait', () => {
    expect(parseRetryAfterMs('Sun, 06 Nov 1994 08:48:00 GMT', NOW)).toBe(0)
  })

  it.each([null, '', 'soon', '-5', '1.5', '1e3', '0x10', '120, 120', 'maybe 5', 'Nov 2030', 'Sun, 06 Nov 1994 8h GMT'])(
    'that says %s is as good as none',
    (value) => {
      expect(parseRetryAfterMs(value, NOW)).toBeNull()
    },
  )

  it('is read alike in every time zone', () => {
    const before = process.env.TZ
    process.env.TZ = 'America/New_York'
    try {
      expect(parseRetryAfterMs('Sun Nov  6 08:49:37 1994', NOW)).toBe(37_000)
    } finally {
      process.env.TZ = before ?? ''
      if (before === undefined) delete process.env.TZ
    }
  })

  it('never gives anything but a wait of at least zero, or none', () => {
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
  ])('after %i failures is anything up to %i ms', (failures, boundMs) => {
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
