import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface FolderLock {
  release(): void
}

/** Another process, or another part of this one, has the folder open. The message says which, and what to do. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** Keep a reference: an unreferenced connection is garbage collected, which releases its lock. */
const held = new Set<DatabaseSync>()

/**
 * Locks the folder for this process, and creates it if needed.
 *
 * It is an operating-system lock on a file that SQLite opens. It ends on release or with the process, so there are no
 * stale locks and no races. The stored pid is only for the message.
 * @throws {FolderInUse}
 */
export const lockFolder = (folder: string): FolderLock => {
  mkdirSync(folder, { recursive: true })
  const ownerFile = join(folder, 'owner.pid')
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    throw new FolderInUse(
      `The data folder ${resolve(folder)} is in use by ${describeOwner(ownerFile)}: two processes would destroy it. ` +
        'Stop that process, or give this one a folder of its own with GATEWAY_DATA_DIR. ' +
        'Several processes share one database on PostgreSQL only (DATABASE_URL).',
      { cause: error },
    )
  }
  held.add(lock)
  writeFileSync(ownerFile, `${process.pid}\n`)
  return {
    release: () => {
      if (!lock.isOpen) return
      rmSync(ownerFile, { force: true })
      lock.close()
      held.delete(lock)
    },
  }
}

const describeOwner = (ownerFile: string): string => {
  try {
    return `process ${readFileSync(ownerFile, 'utf8').trim()}`
  } catch {
    return 'another process'
  }
}
