/** Requests that may still be made at a moment: `tokens`, counted at `at` (milliseconds). */
export interface TokenBucket {
  tokens: number
  at: number
}

/** A bucket that holds the requests of one second. */
export const fullBucket = (perSecond: number, nowMs: number): TokenBucket => ({ tokens: perSecond, at: nowMs })

/** Takes one request out of the bucket. Returns 0, or the milliseconds after which there will be one to take. */
export const takeToken = (bucket: TokenBucket, perSecond: number, nowMs: number): number => {
  const refilled = bucket.tokens + (Math.max(0, nowMs - bucket.at) * perSecond) / 1000
  bucket.tokens = Math.min(perSecond, refilled)
  bucket.at = nowMs
  if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) * 1000) / perSecond)
  bucket.tokens -= 1
  return 0
}
