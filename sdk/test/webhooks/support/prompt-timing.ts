import type { Timing } from '../../../src/transport/timing.ts'

export interface PromptTiming extends Timing {
  advance(delayMs: number): void
}

/**
 * Timing whose waits end at once, and whose attempts of `attemptTimeoutMs` never time out. Random numbers are always
 * 0.5.
 */
export const createPromptTiming = (attemptTimeoutMs: number): PromptTiming => {
  let nowMs = Date.UTC(2026, 0, 1)
  return {
    now: () => nowMs,
    elapsed: () => nowMs,
    random: () => 0.5,
    after: (delayMs, callback) => {
      if (delayMs === attemptTimeoutMs) return () => {}
      nowMs += delayMs
      queueMicrotask(callback)
      return () => {}
    },
    advance: (delayMs) => {
      nowMs += delayMs
    },
  }
}
