import type { Timers } from '../../src/runtime/timers.ts'

/** Timers whose time passes only by `advance`. */
export interface ManualTimers extends Timers {
  readonly now: number
  /** How many timers are set. */
  readonly pending: number
  /** Advances the time, and calls the timers that become due, in order. */
  advance(ms: number): void
}

export const createManualTimers = (): ManualTimers => {
  const timers = new Set<{ due: number; every: number | null; run: () => void }>()
  let now = 0
  const set = (ms: number, every: number | null, run: () => void) => {
    const timer = { due: now + ms, every, run }
    timers.add(timer)
    return () => {
      timers.delete(timer)
    }
  }
  return {
    get now() {
      return now
    },
    get pending() {
      return timers.size
    },
    after: (ms, run) => set(ms, null, run),
    every: (ms, run) => set(ms, ms, run),
    advance: (ms) => {
      const until = now + ms
      for (;;) {
        const [next] = [...timers].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)
        if (next === undefined) break
        now = next.due
        if (next.every === null) timers.delete(next)
        else next.due += next.every
        next.run()
      }
      now = until
    },
  }
}
