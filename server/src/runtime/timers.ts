/** Cancels a timer; no effect if it has fired. */
export type CancelTimer = () => void

/** The source of timers; tests pass manual ones. */
export interface Timers {
  /** Calls `run` once, `ms` milliseconds from now. */
  after(ms: number, run: () => void): CancelTimer
  /** Calls `run` each time another `ms` milliseconds have passed. */
  every(ms: number, run: () => void): CancelTimer
}

/** Timers of the process. They do not keep it alive. */
export const systemTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
  every: (ms, run) => {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
}
