import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { LRUCache } from 'lru-cache'
import type { Rate, TokenBucket } from '../../domain/token-bucket.ts'
import { DEFAULT_RATE, fullBucket, takeToken } from '../../domain/token-bucket.ts'
import type { Caller } from './authenticate.ts'

/** Refuses a request (RATE_LIMITED) if its key has no tokens left; null allows it. */
export type RateLimiter = (caller: Pick<Caller, 'keyId' | 'rateLimitPerSecond'>) => Refusal | null

/** Maximum number of buckets, for the most recently used keys; a dropped key starts with a full bucket. */
const KEPT_KEYS = 10_000

/**
 * Limits the request rate of each key in this process: to its application's rate, with a burst in the gateway's
 * proportion, or else to the gateway's rate.
 * @param gatewayRate Null for none: then only applications with a rate of their own are limited, and their burst has
 * the default proportion.
 */
export const createRateLimiter = (clock: Clock, gatewayRate: Rate | null): RateLimiter => {
  const buckets = new LRUCache<string, TokenBucket>({ max: KEPT_KEYS })
  const { perSecond, burst } = gatewayRate ?? DEFAULT_RATE
  const rateOf = (ofApp: number | null): Rate | null => {
    if (ofApp === null) return gatewayRate
    return { perSecond: ofApp, burst: Math.max(1, Math.round((ofApp * burst) / perSecond)) }
  }
  return ({ keyId, rateLimitPerSecond }) => {
    const rate = rateOf(rateLimitPerSecond)
    if (rate === null) return null
    const nowMs = clock.now().getTime()
    let bucket = buckets.get(keyId)
    if (bucket === undefined) {
      bucket = fullBucket(rate, nowMs)
      buckets.set(keyId, bucket)
    }
    const waitMs = takeToken(bucket, rate, nowMs)
    if (waitMs === 0) return null
    const detail = `The key may send ${rate.perSecond} requests a second, after ${rate.burst} at once.`
    return refuse('RATE_LIMITED', detail, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
  }
}
