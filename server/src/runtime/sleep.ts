import type { Timers } from './timers.ts'

/** Waits; ends early, without an error, when the signal fires. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export const createSleep =
  ({ after }: Pick<Timers, 'after'>): Sleep =>
  (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const finish = () => {
        cancel()
        signal.removeEventListener('abort', finish)
        resolve()
      }
      const cancel = after(ms, finish)
      signal.addEventListener('abort', finish, { once: true })
    })
