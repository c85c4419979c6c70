import { LRUCache } from 'lru-cache'
import type { Clock } from '../domain/clock.ts'
import type { Refusal } from '../domain/refusal.ts'
import { refuse } from '../domain/refusal.ts'
import type { TokenBucket } from '../domain/token-bucket.ts'
import { fullBucket, takeToken } from '../domain/token-bucket.ts'
import type { Caller } from './authenticate.ts'

/** Refuses a request (RATE_LIMITED) whose key has used up its requests of the moment; null lets it through. */
export type RateLimiter = (caller: Caller) => Refusal | null

/** Keys whose rate is kept at once; one that was forgotten starts with a full bucket. */
const KEPT_KEYS = 10_000

/** Limits each key in this process to its requests per second; keys without a limit cost nothing (D-24). */
export const createRateLimiter = (clock: Clock): RateLimiter => {
  const buckets = new LRUCache<string, TokenBucket>({ max: KEPT_KEYS })
  return ({ keyId, rateLimitPerSecond }) => {
    if (rateLimitPerSecond === null) return null
    const nowMs = clock.now().getTime()
    let bucket = buckets.get(keyId)
    if (bucket === undefined) {
      bucket = fullBucket(rateLimitPerSecond, nowMs)
      buckets.set(keyId, bucket)
    }
    const waitMs = takeToken(bucket, rateLimitPerSecond, nowMs)
    if (waitMs === 0) return null
    return refuse('RATE_LIMITED', `The key may send ${rateLimitPerSecond} requests per second.`, {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    })
  }
}
