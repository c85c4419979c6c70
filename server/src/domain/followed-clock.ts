import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'

/** A sample of another clock. */
export interface ClockSample {
  /** The time of the sample, in monotonic milliseconds. */
  readonly atMs: number
  /** The time that the other clock showed then, in milliseconds since 1970. */
  readonly timeMs: number
  /** The uncertainty of the sample, from the round-trip time. */
  readonly uncertaintyMs: number
}

/** A clock that follows another one, independent of this machine's clock. */
export interface FollowedClock extends Clock {
  /** Adds a sample. A small difference is corrected gradually, without running backwards; a large one at once. */
  follow(sample: ClockSample): void
}

/** A larger difference is not drift: the followed clock was set or replaced. Its time is adopted at once. */
const STEP_MS = 1000
/** During a correction, the clock runs faster or slower by this fraction. */
const SLEW = 0.05

/** @param monotonicMs Monotonic milliseconds, such as `performance.now()`. */
export const createFollowedClock = (first: ClockSample, monotonicMs: () => number): FollowedClock => {
  let anchor = { atMs: first.atMs, timeMs: first.timeMs, behindMs: 0 }

  const timeAt = (atMs: number): number => {
    const elapsedMs = Math.max(0, atMs - anchor.atMs)
    const caughtUpMs = Math.min(Math.abs(anchor.behindMs), elapsedMs * SLEW)
    return anchor.timeMs + elapsedMs + Math.sign(anchor.behindMs) * caughtUpMs
  }

  return {
    now: () => new Date(timeAt(monotonicMs())),
    follow: ({ atMs, timeMs, uncertaintyMs }) => {
      const ownMs = timeAt(atMs)
      const behindMs = timeMs - ownMs
      if (Math.abs(behindMs) > STEP_MS + uncertaintyMs) anchor = { atMs, timeMs, behindMs: 0 }
      else anchor = { atMs, timeMs: ownMs, behindMs: Math.abs(behindMs) > uncertaintyMs ? behindMs : 0 }
    },
  }
}
