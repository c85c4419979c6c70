import type { Sleep } from '../../runtime/sleep.ts'
import { DatabaseUnavailable } from '../../store/db.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
/** Failures that do not say that the database is unavailable: after so many in a row the write is given up. */
const UNEXPECTED_FAILURES = 5

/** Repeats a call until the database has answered; undefined when `until` fires first. */
export type Persist = <T>(until: AbortSignal, call: (attempt: number) => Promise<T>) => Promise<T | undefined>

/**
 * A database that is away is waited for as long as it takes, with growing pauses; any other failure is repeated a few
 * times and then thrown.
 */
export const createPersist =
  (sleep: Sleep): Persist =>
  async (until, call) => {
    let unexpected = 0
    for (let attempt = 0; !until.aborted; attempt += 1) {
      try {
        return await call(attempt)
      } catch (error) {
        unexpected = error instanceof DatabaseUnavailable ? 0 : unexpected + 1
        if (unexpected === UNEXPECTED_FAILURES) throw error
      }
      await sleep(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS), until)
    }
    return undefined
  }
