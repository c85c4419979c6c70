import { statfsSync } from 'node:fs'
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

/** The folder of an engine, and how what was committed there is opened, as after a crash. */
export interface Reopening {
  readonly folder: string
  readonly open: () => Promise<PGlite>
}

/**
 * An engine that fails to open takes seconds of this thread, and keeps files and memory for ever. So it is tried rarely,
 * and never where its first step, to write its log, has no room.
 */
const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 5 * 60_000
const ROOM_BYTES = 64 * 1024 * 1024

/** @param reopening Absent: a broken engine stays broken. */
export const createEngine = (opened: PGlite, reopening: Reopening | undefined): Engine => {
  let pglite = opened
  let isBroken = false
  let pauseMs = FIRST_PAUSE_MS
  let reopenAt = 0

  const close = async (): Promise<void> => {
    if (!pglite.closed) await pglite.close()
  }

  return {
    use: async () => {
      if (!isBroken) return pglite
      if (reopening === undefined || performance.now() < reopenAt) throw new DatabaseUnavailable(BROKEN)
      const { bavail, bsize } = statfsSync(reopening.folder)
      if (bavail * bsize < ROOM_BYTES) throw new DatabaseUnavailable(`${BROKEN}: its disk is full`)
      reopenAt = performance.now() + pauseMs
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      // Gives its files back; what it may still say of its end does not matter.
      await close().catch(() => {})
      try {
        pglite = await reopening.open()
      } catch (cause) {
        throw new DatabaseUnavailable(`${BROKEN} and cannot be opened again`, { cause })
      }
      isBroken = false
      return pglite
    },
    breakDown: () => {
      isBroken = true
      pauseMs = FIRST_PAUSE_MS
      reopenAt = 0
    },
    close,
  }
}

const BROKEN = 'the embedded database has broken down'
