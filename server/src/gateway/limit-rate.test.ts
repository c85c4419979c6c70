import { describe, expect, it } from 'vitest'
import type { Caller } from './authenticate.ts'
import { createRateLimiter } from './limit-rate.ts'

const caller = (keyId: string, rateLimitPerSecond: number | null): Caller => ({
  keyId,
  appId: 'app_1',
  scopes: new Set(),
  pendingLimit: null,
  rateLimitPerSecond,
})

describe('the request rate of a key', () => {
  it('is unlimited by default [LIMIT-23]', () => {
    const limit = createRateLimiter({ now: () => new Date(0) })
    expect(Array.from({ length: 5000 }, () => limit(caller('key_1', null)))).toEqual(Array(5000).fill(null))
  })

  it('is limited per key, and refusals say in whole seconds when to come back [LIMIT-24, ERR-35]', () => {
    let now = 0
    const limit = createRateLimiter({ now: () => new Date(now) })
    const slow = caller('key_slow', 1)
    expect(limit(slow)).toBeNull()
    expect(limit(slow)).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
    expect(limit(caller('key_other', 1))).toBeNull()
    now = 1000
    expect(limit(slow)).toBeNull()
  })
})
