import type { Timers } from './timers.ts'

/** Whether the work ends within the time. The work must not reject. */
export const within = ({ after }: Pick<Timers, 'after'>, ms: number, work: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = after(ms, () => resolve(false))
    void work.then(() => {
      cancel()
      resolve(true)
    })
  })
