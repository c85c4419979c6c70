import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RetryQuestion } from './retry-schedule.ts'
import { DELIVERY_WINDOW_MS, MAX_ATTEMPTS, nextAttemptAt, RETRY_DELAYS_MS, readRetryAfter } from './retry-schedule.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const later = (ms: number): Date => new Date(NOW.getTime() + ms)

const ask = (question: Partial<RetryQuestion>): number | null => {
  const at = nextAttemptAt({
    attempts: 1,
    now: NOW,
    expiresAt: later(DELIVERY_WINDOW_MS),
    notBefore: null,
    random: 0.5,
    ...question,
  })
  return at === null ? null : at.getTime() - NOW.getTime()
}

describe('the next attempt', () => {
  it('follows after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h and 6 h [CB-50]', () => {
    const delays = Array.from({ length: 7 }, (_, index) => ask({ attempts: index + 1 }))
    expect(delays).toEqual([5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000])
  })

  it('is moved by up to a tenth in either direction, at random [CB-50]', () => {
    expect([ask({ random: 0 }), ask({ random: 0.999_999 })]).toEqual([4500, 5500])
  })

  it('does not follow the eighth [CB-30]', () => {
    expect([MAX_ATTEMPTS, ask({ attempts: 8 })]).toEqual([8, null])
  })

  it('fits into the window of 24 hours when nothing delays it [CB-29]', () => {
    expect(RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay * 1.1, 0)).toBeLessThan(DELIVERY_WINDOW_MS)
  })

  it('is null if it would be outside the window [CB-49]', () => {
    expect([ask({ expiresAt: later(5000) }), ask({ expiresAt: later(5001) })]).toEqual([null, 5000])
  })

  it('is never before the time that the receiver requested, and an early request does not make it sooner [CB-25, CB-51]', () => {
    const delays = [later(60_000), later(1000), later(-60_000)].map((notBefore) => ask({ notBefore }))
    expect(delays).toEqual([60_000, 5000, 5000])
    expect(ask({ notBefore: later(DELIVERY_WINDOW_MS) })).toBeNull()
  })
})

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    ['Sun, 01 Mar 2026 12:02:00 GMT', 120_000],
    ['Sunday, 01-Mar-26 12:02:00 GMT', 120_000],
    ['Sun Mar  1 12:02:00 2026', 120_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', -3_600_000],
  ])('is understood in seconds and as a date: %s', (value, ms) => {
    expect(readRetryAfter(value, NOW)).toEqual(later(ms))
  })

  it.each([
    null,
    '',
    '-1',
    '1.5',
    '1e3',
    ' 5',
    '5 s',
    '0x10',
    'soon',
    '2026-03-01T12:02:00Z',
    'Sun, 41 Mar 2026 12:02:00 GMT',
  ])('is ignored if it is neither: %s', (value) => {
    expect(readRetryAfter(value, NOW)).toBeNull()
  })

  it.each(['99999999999', '9'.repeat(20), '9'.repeat(400)])('prevents retries if it is %s seconds', (value) => {
    expect(ask({ notBefore: readRetryAfter(value, NOW) })).toBeNull()
  })

  it('never results in an invalid date', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789 ,:-GMTSunMar') }), (value) => {
        const at = readRetryAfter(value, NOW)
        expect(at === null || !Number.isNaN(at.getTime())).toBe(true)
      }),
    )
  })
})
