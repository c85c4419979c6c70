import { statfsSync } from 'node:fs'
import { DatabaseUnavailable } from '../db.ts'
import type { EngineThread } from './engine-thread.ts'

/** The engine of an embedded database, which is reopened after crashes. */
export interface Engine {
  /** The engine, reopened if it has crashed. @throws {DatabaseUnavailable} it cannot be opened now. */
  use(): Promise<EngineThread>
  /** Marks the engine as crashed. Has no effect for an engine that is no longer in use. */
  breakDown(broken: EngineThread): void
  close(): Promise<void>
}

/** The folder of an engine, and how to reopen it with crash recovery. */
export interface Reopening {
  readonly folder: string
  readonly open: () => Promise<EngineThread>
}

/**
 * A failed opening costs seconds of CPU time, so it is retried rarely, and never without disk space for the engine's
 * log.
 */
const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 5 * 60_000
const ROOM_BYTES = 64 * 1024 * 1024

/** @param reopening Absent: a broken engine stays broken. */
export const createEngine = (opened: EngineThread, reopening: Reopening | undefined): Engine => {
  let thread = opened
  let isBroken = false
  let pauseMs = FIRST_PAUSE_MS
  let reopenAt = 0

  return {
    use: async () => {
      if (!isBroken) return thread
      if (reopening === undefined || performance.now() < reopenAt) throw new DatabaseUnavailable(BROKEN)
      const { bavail, bsize } = statfsSync(reopening.folder)
      if (bavail * bsize < ROOM_BYTES) throw new DatabaseUnavailable(`${BROKEN}: its disk is full`)
      reopenAt = performance.now() + pauseMs
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      await thread.kill()
      try {
        thread = await reopening.open()
      } catch (cause) {
        throw new DatabaseUnavailable(`${BROKEN} and cannot be opened again`, { cause })
      }
      isBroken = false
      return thread
    },
    breakDown: (broken) => {
      if (isBroken || broken !== thread) return
      isBroken = true
      pauseMs = FIRST_PAUSE_MS
      reopenAt = 0
    },
    close: () => (isBroken ? thread.kill() : thread.close()),
  }
}

const BROKEN = 'the embedded database has broken down'
