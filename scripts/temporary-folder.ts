/** The folder for the hundreds of temporary databases of tests and suites. */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Several times the space that the tests use at once. */
const MIN_FREE_BYTES = 2 * 1024 ** 3

/**
 * Creates a folder for the temporary files (`TMPDIR`) of this process and its child processes, and removes it at exit.
 * Unless `TMPDIR` is set, the folder is in memory if Linux has enough of it: writing embedded databases to a disk takes
 * more CPU time than the databases themselves.
 */
export const useTemporaryFolder = (): string => {
  const folder = mkdtempSync(join(process.env.TMPDIR === undefined && hasSpace() ? MEMORY : tmpdir(), 'gateway-'))
  // The PostgreSQL server of the tests runs as another user, who needs to reach the files in this folder.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

const hasSpace = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MIN_FREE_BYTES
  } catch {
    return false
  }
}
