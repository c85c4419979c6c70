import type { Sleep } from '../../runtime/sleep.ts'
import { DatabaseUnavailable } from '../../store/db.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
/** Maximum consecutive failures other than an unavailable database; then the write is abandoned. */
const UNEXPECTED_FAILURES = 5

/** Repeats a call until the database answers; undefined if `until` fires first. */
export type Persist = <T>(until: AbortSignal, call: (attempt: number) => Promise<T>) => Promise<T | undefined>

/**
 * Waits indefinitely for an unavailable database, with growing pauses. Any other failure is retried a few times and
 * then thrown.
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
