import type { PGlite } from '@electric-sql/pglite'
import { DatabaseUnavailable } from '../db.ts'

/** The engine of an embedded database through its break-downs. */
export interface Engine {
  /** The engine, opened anew if it has broken down. @throws {DatabaseUnavailable} it cannot be opened now. */
  use(): Promise<PGlite>
  /** It must not be called any more. */
  breakDown(): void
  close(): Promise<void>
}

/** Opening an engine takes seconds of this thread; after a failure it is not tried again sooner than this. */
const REOPEN_AFTER_MS = 5000

/** @param reopen Opens what was committed, as after a crash. Absent: a broken engine stays broken. */
export const createEngine = (opened: PGlite, reopen: (() => Promise<PGlite>) | undefined): Engine => {
  let pglite = opened
  let isBroken = false
  let reopenAt = 0

  const close = async (): Promise<void> => {
    if (!pglite.closed) await pglite.close()
  }

  return {
    use: async () => {
      if (!isBroken) return pglite
      if (reopen === undefined || performance.now() < reopenAt)
        throw new DatabaseUnavailable('the embedded database has broken down')
      reopenAt = performance.now() + REOPEN_AFTER_MS
      // Gives its files back; what it may still say of its end does not matter.
      await close().catch(() => {})
      try {
        pglite = await reopen()
      } catch (cause) {
        throw new DatabaseUnavailable('the embedded database cannot be opened again: is the disk full?', { cause })
      }
      isBroken = false
      return pglite
    },
    breakDown: () => {
      isBroken = true
      reopenAt = 0
    },
    close,
  }
}
