/** The source of time for rules; tests pass a manual one. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
