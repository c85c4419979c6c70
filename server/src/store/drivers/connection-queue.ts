import { DatabaseUnavailable } from '../db.ts'
import type { Need } from './pooled-connection.ts'

/** An entry that waits for a connection. */
export interface Waiter<Place> {
  readonly start: (place: Place) => void
  readonly reject: (error: DatabaseUnavailable) => void
}

/** The queue for connections, in order of arrival; each entry has a deadline. */
export interface ConnectionQueue<Place> {
  isEmpty(need: Need): boolean
  size(): number
  /** Rejects at once if the queue is full. `deadline` is a time of `performance.now()`. */
  enter(need: Need, deadline: number, waiter: Waiter<Place>): void
  /** Starts the longest waiting entry for which a connection is available; false if no entry can start. */
  startNext(place: (need: Need) => Place | null): boolean
  /** How many have entered so far. */
  entered(): number
  /** Rejects those of the first `count` entries that still wait. */
  rejectFirst(count: number, error: DatabaseUnavailable): void
}

interface Entry<Place> extends Waiter<Place> {
  readonly order: number
  readonly timer: NodeJS.Timeout
}

const NEEDS: readonly Need[] = ['read', 'write', 'exclusive']

export const createConnectionQueue = <Place>(atMost: number): ConnectionQueue<Place> => {
  // A Set keeps insertion order, and allows removal in the middle.
  const queues: Readonly<Record<Need, Set<Entry<Place>>>> = { read: new Set(), write: new Set(), exclusive: new Set() }
  let entered = 0
  let present = 0

  const leave = (need: Need, entry: Entry<Place>): void => {
    clearTimeout(entry.timer)
    queues[need].delete(entry)
    present -= 1
  }

  const firstOf = (need: Need): Entry<Place> | undefined => queues[need].values().next().value

  return {
    isEmpty: (need) => queues[need].size === 0,
    size: () => present,
    enter: (need, deadline, waiter) => {
      if (present >= atMost) {
        waiter.reject(new DatabaseUnavailable(`more than ${atMost} statements wait for a connection to the database`))
        return
      }
      const giveUp = (): void => {
        leave(need, entry)
        waiter.reject(new DatabaseUnavailable('no connection to the database became free in time'))
      }
      const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()))
      const entry: Entry<Place> = { ...waiter, order: entered, timer }
      entered += 1
      present += 1
      queues[need].add(entry)
    },
    startNext: (place) => {
      if (present === 0) return false
      const heads = NEEDS.flatMap((need) => {
        const entry = firstOf(need)
        return entry === undefined ? [] : [{ need, entry }]
      }).sort((a, b) => a.entry.order - b.entry.order)
      for (const { need, entry } of heads) {
        const free = place(need)
        if (free === null) continue
        leave(need, entry)
        entry.start(free)
        return true
      }
      return false
    },
    entered: () => entered,
    rejectFirst: (count, error) => {
      for (const need of NEEDS)
        for (const entry of [...queues[need]]) {
          if (entry.order >= count) break
          leave(need, entry)
          entry.reject(error)
        }
    },
  }
}
