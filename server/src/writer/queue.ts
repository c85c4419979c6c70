/** How a change is executed; `writer.ts` describes the transitions between modes. */
export type Mode = 'batched' | 'waitsForLock' | 'single'

/** A change in the queue. */
export interface Queued {
  /** Identifies its conversation. */
  readonly key: string
  /** Approximate bytes that it writes. */
  readonly bytes: number
  mode: Mode
}

/** The queued changes, oldest first. Changes of one conversation keep their order. */
export interface Queue<Entry extends Queued> {
  readonly size: number
  add(entry: Entry): void
  /** Puts entries back in front of all others, in another mode. */
  putBack(entries: readonly Entry[], mode: Mode): void
  /** Takes the next batch, of conversations that are not busy; an empty list when there is none. */
  takeBatch(busy: ReadonlySet<string>): Entry[]
  /**
   * Takes the first change that is not batched; if it waits for a lock, together with the others that wait for the same
   * lock.
   */
  takeUnbatched(busy: ReadonlySet<string>): Entry[]
}

/** The limits of one batch. */
const CHANGES_OF_BATCH = 64
const BYTES_OF_BATCH = 1024 * 1024

export const createQueue = <Entry extends Queued>(): Queue<Entry> => {
  let waiting: Entry[] = []
  return {
    get size() {
      return waiting.length
    },
    add: (entry) => {
      waiting.push(entry)
    },
    putBack: (entries, mode) => {
      for (const entry of entries) entry.mode = mode
      waiting = [...entries, ...waiting]
    },
    takeBatch: (busy) => {
      const batch: Entry[] = []
      const left: Entry[] = []
      const passed = new Set<string>()
      let bytes = 0
      for (const entry of waiting) {
        const fits = batch.length < CHANGES_OF_BATCH && (batch.length === 0 || bytes + entry.bytes <= BYTES_OF_BATCH)
        if (entry.mode === 'batched' && fits && !busy.has(entry.key) && !passed.has(entry.key)) {
          batch.push(entry)
          bytes += entry.bytes
        } else {
          // Later changes of the same conversation stay behind it.
          passed.add(entry.key)
          left.push(entry)
        }
      }
      waiting = left
      return batch
    },
    takeUnbatched: (busy) => {
      const first = waiting.find(({ mode, key }) => mode !== 'batched' && !busy.has(key))
      if (first === undefined) return []
      const together =
        first.mode === 'single'
          ? [first]
          : waiting.filter(({ key, mode }) => key === first.key && mode === 'waitsForLock')
      const taken = new Set(together.slice(0, CHANGES_OF_BATCH))
      waiting = waiting.filter((entry) => !taken.has(entry))
      return [...taken]
    },
  }
}
