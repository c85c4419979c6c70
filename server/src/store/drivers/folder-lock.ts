import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface FolderLock {
  release(): void
}

/** Another process, or another place in this one, has the folder open. The message says who and what to do. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** A connection that nobody holds is collected as garbage, and its lock ends with it. */
const held = new Set<DatabaseSync>()

/**
 * Makes this process the only one that uses the folder, which is created when it is missing.
 *
 * The lock is one of the operating system's, on a file that SQLite opens for us. It ends when it is released or with the
 * process, however that ends, so there is nothing stale to recognise and nothing to race for. The pid lies beside it only
 * to be shown.
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
