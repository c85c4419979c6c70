import type { Timing } from '../../../src/transport/timing.ts'

export interface PromptTiming extends Timing {
  /** The waits between attempts so far, in milliseconds. */
  readonly waitsMs: readonly number[]
  advance(delayMs: number): void
}

/** Timing whose waits end at once, and whose attempts of `attemptTimeoutMs` never time out. Random numbers are always 0.5. */
export const createPromptTiming = (attemptTimeoutMs: number): PromptTiming => {
  const waitsMs: number[] = []
  let nowMs = Date.UTC(2026, 0, 1)
  return {
    waitsMs,
    now: () => nowMs,
    elapsed: () => nowMs,
    random: () => 0.5,
    after: (delayMs, callback) => {
      if (delayMs === attemptTimeoutMs) return () => {}
      waitsMs.push(delayMs)
      nowMs += delayMs
      queueMicrotask(callback)
      return () => {}
    },
    advance: (delayMs) => {
      nowMs += delayMs
    },
  }
}
