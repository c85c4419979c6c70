/** How fast something may go on: so many a second, after so many at once. */
export interface Rate {
  readonly perSecond: number
  /** How many may be saved up, at least 1. */
  readonly burst: number
}

/** Requests of a key, where neither its application nor the gateway has another rate (D-61). */
export const DEFAULT_RATE: Rate = { perSecond: 500, burst: 1000 }

/** What may still be done at a moment: `tokens`, counted at `at` (milliseconds). */
export interface TokenBucket {
  tokens: number
  at: number
}

export const fullBucket = ({ burst }: Rate, nowMs: number): TokenBucket => ({ tokens: burst, at: nowMs })

/** Takes one token out of the bucket. Returns 0, or the milliseconds after which there will be one to take. */
export const takeToken = (bucket: TokenBucket, rate: Rate, nowMs: number): number => {
  const waitMs = waitForToken(bucket, rate, nowMs)
  if (waitMs === 0) bucket.tokens -= 1
  return waitMs
}

/** Takes one token even where there is none, so that it takes longer until there is one again. */
export const oweToken = (bucket: TokenBucket, rate: Rate, nowMs: number): void => {
  refill(bucket, rate, nowMs)
  bucket.tokens -= 1
}

/** Returns 0 where there is a token to take, or the milliseconds after which there will be one. */
export const waitForToken = (bucket: TokenBucket, rate: Rate, nowMs: number): number => {
  refill(bucket, rate, nowMs)
  return bucket.tokens < 1 ? Math.ceil(((1 - bucket.tokens) * 1000) / rate.perSecond) : 0
}

const refill = (bucket: TokenBucket, { perSecond, burst }: Rate, nowMs: number): void => {
  const refilled = bucket.tokens + (Math.max(0, nowMs - bucket.at) * perSecond) / 1000
  bucket.tokens = Math.min(burst, refilled)
  bucket.at = nowMs
}
