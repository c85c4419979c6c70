/** A rate limit: tokens per second, and a burst. */
export interface Rate {
  readonly perSecond: number
  /** Maximum number of saved tokens, at least 1. */
  readonly burst: number
}

/** Requests of a key, where neither its application nor the gateway has another rate (D-61). */
export const DEFAULT_RATE: Rate = { perSecond: 500, burst: 1000 }

/** The state of a bucket: `tokens`, counted at `at` (milliseconds). */
export interface TokenBucket {
  tokens: number
  at: number
}

export const fullBucket = ({ burst }: Rate, nowMs: number): TokenBucket => ({ tokens: burst, at: nowMs })

/** Takes a token. Returns 0, or the milliseconds until one is available. */
export const takeToken = (bucket: TokenBucket, rate: Rate, nowMs: number): number => {
  const waitMs = waitForToken(bucket, rate, nowMs)
  if (waitMs === 0) bucket.tokens -= 1
  return waitMs
}

/** Takes a token even if none is available; the debt delays the next one. */
export const oweToken = (bucket: TokenBucket, rate: Rate, nowMs: number): void => {
  refill(bucket, rate, nowMs)
  bucket.tokens -= 1
}

/** Returns 0 if a token is available, or the milliseconds until one is. */
export const waitForToken = (bucket: TokenBucket, rate: Rate, nowMs: number): number => {
  refill(bucket, rate, nowMs)
  return bucket.tokens < 1 ? Math.ceil(((1 - bucket.tokens) * 1000) / rate.perSecond) : 0
}

const refill = (bucket: TokenBucket, { perSecond, burst }: Rate, nowMs: number): void => {
  const refilled = bucket.tokens + (Math.max(0, nowMs - bucket.at) * perSecond) / 1000
  bucket.tokens = Math.min(burst, refilled)
  bucket.at = nowMs
}
