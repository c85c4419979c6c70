import type { Timing } from '../../src/transport/timing.ts'

/** Time that passes only by `advance`, and a constant random number. */
export interface ManualTiming extends Timing {
  /** How many timers are set. */
  readonly pending: number
  /** Moves the wall clock forward or back. The elapsed time and the timers do not change. */
  changeClock(byMs: number): void
  /** Advances the time, and calls the timers that become due, in order. */
  advance(delayMs: number): void
  /** Advances the time until the next timer is due. */
  advanceToNext(): void
  /** Until the promise is settled, advances the time to the next timer whenever nothing else is in progress. */
  drive<T>(promise: Promise<T>): Promise<T>
}

/** `drive` fails after this real time without a timer. A busy machine needs seconds to load a module. */
const HANGS_AFTER_MS = 60_000

export const createManualTiming = (chance = 0.5): ManualTiming => {
  const timers = new Set<{ dueMs: number; run: () => void }>()
  let nowMs = 1_000_000
  let clockChangeMs = 0
  const next = () => [...timers].sort((a, b) => a.dueMs - b.dueMs)[0]
  const timing: ManualTiming = {
    now: () => nowMs + clockChangeMs,
    elapsed: () => nowMs,
    random: () => chance,
    get pending() {
      return timers.size
    },
    after: (delayMs, run) => {
      const timer = { dueMs: nowMs + delayMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    changeClock: (byMs) => {
      clockChangeMs += byMs
    },
    advance: (delayMs) => {
      const untilMs = nowMs + delayMs
      for (let timer = next(); timer !== undefined && timer.dueMs <= untilMs; timer = next()) {
        timers.delete(timer)
        nowMs = timer.dueMs
        timer.run()
      }
      nowMs = untilMs
    },
    advanceToNext: () => {
      const timer = next()
      if (timer !== undefined) timing.advance(timer.dueMs - nowMs)
    },
    drive: async (promise) => {
      let isSettled = false
      const settled = (): void => {
        isSettled = true
      }
      promise.then(settled, settled)
      let idleSince = performance.now()
      for (await settle(); !isSettled; await settle()) {
        if (timers.size > 0) {
          timing.advanceToNext()
          idleSince = performance.now()
        } else if (performance.now() - idleSince > HANGS_AFTER_MS)
          throw new Error('no timer is left, and the promise is not settled')
        // A module or a file may still be loading.
        else await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return promise
    },
  }
  return timing
}

/** Waits for one turn of the event loop, in which work that needs no timer continues. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
