import { DatabaseUnavailable } from '../db.ts'

/** The lock wait queue: statements that wait for locks run here, where they do not delay others. */
export interface LockWaits {
  /**
   * Runs `work` when a slot is free. `owner` is usually an application; `deadline` is a time of `performance.now()`.
   */
  wait<T>(owner: string, deadline: number, work: () => Promise<T>): Promise<T>
}

export interface LockWaitOptions {
  /** How many may wait for locks in the database at once. */
  readonly places: number
  /** How many more may queue for a slot; further ones are rejected at once. */
  readonly waitingAtMost: number
}

interface Waiting {
  readonly owner: string
  readonly start: () => void
}

/** A free slot goes to the waiting owner with the fewest slots. If there are several slots, no owner gets all. */
export const createLockWaits = ({ places, waitingAtMost }: LockWaitOptions): LockWaits => {
  const ofOneOwner = Math.max(1, places - 1)
  const held = new Map<string, number>()
  const queue = new Set<Waiting>()
  let free = places

  const heldBy = (owner: string): number => held.get(owner) ?? 0

  const startNext = (): void => {
    if (free === 0) return
    let best: Waiting | null = null
    for (const waiting of queue) {
      const count = heldBy(waiting.owner)
      if (count < ofOneOwner && (best === null || count < heldBy(best.owner))) best = waiting
    }
    if (best === null) return
    queue.delete(best)
    free -= 1
    held.set(best.owner, heldBy(best.owner) + 1)
    best.start()
  }

  const giveBack = (owner: string): void => {
    free += 1
    const left = heldBy(owner) - 1
    if (left === 0) held.delete(owner)
    else held.set(owner, left)
    startNext()
  }

  return {
    wait: async (owner, deadline, work) => {
      if (queue.size >= waitingAtMost)
        throw new DatabaseUnavailable(`more than ${waitingAtMost} statements wait for locks`)
      await new Promise<void>((resolve, reject) => {
        const giveUp = (): void => {
          queue.delete(waiting)
          reject(new DatabaseUnavailable('a lock was not granted in time'))
        }
        const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()))
        const start = (): void => {
          clearTimeout(timer)
          resolve()
        }
        const waiting = { owner, start }
        queue.add(waiting)
        startNext()
      })
      try {
        return await work()
      } finally {
        giveBack(owner)
      }
    },
  }
}
