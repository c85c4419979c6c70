import { describe, expect, it } from 'vitest'
import type { Rate } from '../../domain/token-bucket.ts'
import { DEFAULT_RATE } from '../../domain/token-bucket.ts'
import type { Caller } from './authenticate.ts'
import { createRateLimiter } from './limit-rate.ts'

const caller = (keyId: string, rateLimitPerSecond: number | null): Caller => ({
  keyId,
  appId: 'app_1',
  scopes: new Set(),
  pendingLimit: null,
  rateLimitPerSecond,
})

const setUp = (gatewayRate: Rate | null) => {
  let now = 0
  const limit = createRateLimiter({ now: () => new Date(now) }, gatewayRate)
  return {
    limit,
    /** Sends this number of concurrent requests, and counts the allowed ones. */
    letThrough: (key: Caller, requests: number): number =>
      Array.from({ length: requests }, () => limit(key)).filter((refusal) => refusal === null).length,
    pass: (ms: number) => {
      now += ms
    },
  }
}

describe('the request rate of a key', () => {
  it('is 500 a second with a burst of 1,000 by default [LIMIT-25]', () => {
    const { letThrough, pass } = setUp(DEFAULT_RATE)
    const key = caller('key_1', null)
    expect(letThrough(key, 1500)).toBe(1000)
    pass(100)
    expect(letThrough(key, 100)).toBe(50)
    pass(60_000)
    expect(letThrough(key, 1500)).toBe(1000)
  })

  it("is the gateway's rate, or unlimited", () => {
    expect(setUp({ perSecond: 10, burst: 15 }).letThrough(caller('key_1', null), 100)).toBe(15)
    expect(setUp(null).letThrough(caller('key_1', null), 5000)).toBe(5000)
  })

  it("is the application's rate if it has one, with a proportional burst [LIMIT-24]", () => {
    expect(setUp(DEFAULT_RATE).letThrough(caller('key_1', 600), 2000)).toBe(1200)
    expect(setUp({ perSecond: 10, burst: 15 }).letThrough(caller('key_1', 100), 2000)).toBe(150)
    expect(setUp({ perSecond: 100, burst: 10 }).letThrough(caller('key_1', 1), 10)).toBe(1)
    expect(setUp(null).letThrough(caller('key_1', 3), 10)).toBe(6)
  })

  it('is limited per key, and refusals say in whole seconds when to retry [LIMIT-24, ERR-35]', () => {
    const { limit, letThrough, pass } = setUp({ perSecond: 1, burst: 1 })
    const slow = caller('key_slow', 1)
    expect(letThrough(slow, 1)).toBe(1)
    expect(limit(slow)).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
    expect(letThrough(caller('key_other', 1), 1)).toBe(1)
    pass(1000)
    expect(letThrough(slow, 1)).toBe(1)
  })

  it('follows a changed rate', () => {
    const { letThrough } = setUp(null)
    expect(letThrough(caller('key_1', 5), 100)).toBe(10)
    expect(letThrough(caller('key_1', 1), 100)).toBe(0)
    expect(letThrough(caller('key_1', null), 100)).toBe(100)
  })

  it('is kept for a bounded number of most recently used keys', () => {
    const { letThrough } = setUp({ perSecond: 1, burst: 1 })
    const early = caller('key_early', null)
    const steady = caller('key_steady', null)
    expect([letThrough(early, 1), letThrough(steady, 1)]).toEqual([1, 1])
    for (let index = 0; index < 10_000; index++) {
      letThrough(caller(`key_${index}`, null), 1)
      if (index % 1000 === 0) expect(letThrough(steady, 1)).toBe(0)
    }
    expect(letThrough(early, 1)).toBe(1)
  })
})
