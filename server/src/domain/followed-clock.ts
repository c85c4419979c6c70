import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'

/** What another clock showed at a moment. */
export interface ClockSample {
  /** The moment, in milliseconds of a clock that nobody sets. */
  readonly atMs: number
  /** The time that the other clock showed then, in milliseconds since 1970. */
  readonly timeMs: number
  /** How far off that may be, because the answer was on its way. */
  readonly uncertaintyMs: number
}

/** A clock that goes like the one that it follows, whatever the clock of this machine is set to. */
export interface FollowedClock extends Clock {
  /** Takes a sample in. A small difference is caught up with little by little, so that time never runs back. */
  follow(sample: ClockSample): void
}

/** A difference above this is no drift: the clock that is followed was set, or is another one. It is followed at once. */
const STEP_MS = 1000
/** While it catches up, the clock goes faster or slower by this much. */
const SLEW = 0.05

/** @param monotonicMs Milliseconds of a clock that nobody sets, such as `performance.now()`. */
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
