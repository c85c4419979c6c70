import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullBucket, takeToken } from './token-bucket.ts'

describe('a token bucket', () => {
  it('lets the requests of one second through at once, and then says how long to wait', () => {
    const bucket = fullBucket(2, 0)
    expect([takeToken(bucket, 2, 0), takeToken(bucket, 2, 0), takeToken(bucket, 2, 0)]).toEqual([0, 0, 500])
  })

  it('has a token again after the wait that it named', () => {
    const bucket = fullBucket(3, 0)
    for (let taken = 0; taken < 3; taken++) takeToken(bucket, 3, 0)
    const waitMs = takeToken(bucket, 3, 0)
    expect(takeToken(bucket, 3, waitMs)).toBe(0)
  })

  it('does not save up more than one second', () => {
    const bucket = fullBucket(1, 0)
    expect([takeToken(bucket, 1, 60_000), takeToken(bucket, 1, 60_000)]).toEqual([0, 1000])
  })

  it('takes a clock that goes backwards as one that stands', () => {
    const bucket = fullBucket(1, 1000)
    expect([takeToken(bucket, 1, 0), takeToken(bucket, 1, 0)]).toEqual([0, 1000])
  })

  it('never lets more through than the rate and one second of burst allow', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(400), { maxLength: 300 }), (perSecond, pauses) => {
        const bucket = fullBucket(perSecond, 0)
        let now = 0
        let passed = 0
        for (const pause of pauses) {
          now += pause
          if (takeToken(bucket, perSecond, now) === 0) passed++
        }
        expect(passed).toBeLessThanOrEqual(perSecond + (now * perSecond) / 1000)
      }),
    )
  })
})
