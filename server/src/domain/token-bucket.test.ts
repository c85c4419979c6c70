import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullBucket, oweToken, takeToken, waitForToken } from './token-bucket.ts'

const rate = (perSecond: number, burst = perSecond) => ({ perSecond, burst })

describe('a token bucket', () => {
  it('allows its burst at once, and then returns how long to wait', () => {
    const bucket = fullBucket(rate(2, 3), 0)
    expect([0, 0, 0, 0].map((now) => takeToken(bucket, rate(2, 3), now))).toEqual([0, 0, 0, 500])
  })

  it('has a token after the wait that it returned', () => {
    const bucket = fullBucket(rate(3), 0)
    for (let taken = 0; taken < 3; taken++) takeToken(bucket, rate(3), 0)
    const waitMs = takeToken(bucket, rate(3), 0)
    expect(takeToken(bucket, rate(3), waitMs)).toBe(0)
  })

  it('does not save up more than its burst', () => {
    const bucket = fullBucket(rate(1, 2), 0)
    expect([60_000, 60_000, 60_000].map((now) => takeToken(bucket, rate(1, 2), now))).toEqual([0, 0, 1000])
  })

  it('returns the wait without taking a token', () => {
    const bucket = fullBucket(rate(1), 0)
    expect([waitForToken(bucket, rate(1), 0), waitForToken(bucket, rate(1), 0)]).toEqual([0, 0])
    takeToken(bucket, rate(1), 0)
    expect(waitForToken(bucket, rate(1), 400)).toBe(600)
  })

  it('can go into debt, which is paid back first', () => {
    const bucket = fullBucket(rate(1), 0)
    for (let owed = 0; owed < 3; owed += 1) oweToken(bucket, rate(1), 0)
    expect(waitForToken(bucket, rate(1), 0)).toBe(3000)
    expect([takeToken(bucket, rate(1), 2999), takeToken(bucket, rate(1), 3000)]).toEqual([1, 0])
  })

  it('treats a clock that goes backwards as stopped', () => {
    const bucket = fullBucket(rate(1), 1000)
    expect([takeToken(bucket, rate(1), 0), takeToken(bucket, rate(1), 0)]).toEqual([0, 1000])
  })

  it('never allows more than its rate and its burst', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.nat(400), { maxLength: 300 }),
        (perSecond, burst, pauses) => {
          const bucket = fullBucket(rate(perSecond, burst), 0)
          let now = 0
          let passed = 0
          for (const pause of pauses) {
            now += pause
            if (takeToken(bucket, rate(perSecond, burst), now) === 0) passed++
          }
          expect(passed).toBeLessThanOrEqual(burst + (now * perSecond) / 1000)
        },
      ),
    )
  })
})
