/** The place for the hundreds of temporary databases of tests and suites. */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Several times the space that a run needs at once. */
const ROOM_BYTES = 2 * 1024 ** 3

/**
 * Makes a new folder the place of temporary files (`TMPDIR`) of this process and of those that it starts, and removes it at the
 * exit. It lies in memory where Linux offers enough, unless `TMPDIR` is set: writing embedded databases to a disk costs
 * more processor time than they do.
 */
export const useTemporaryFolder = (): string => {
  const folder = mkdtempSync(join(process.env.TMPDIR === undefined && hasRoom() ? MEMORY : tmpdir(), 'gateway-'))
  // The PostgreSQL server of the tests is another user, who has to get through.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

const hasRoom = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM_BYTES
  } catch {
    return false
  }
}
