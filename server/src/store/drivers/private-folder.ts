import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The data folder cannot be kept from other users of the machine. The message says why and what to do. */
export class FolderNotPrivate extends Error {
  override readonly name = 'FolderNotPrivate'
}

const OWNER_ONLY_FOLDER = 0o700
const OWNER_ONLY_FILE = 0o600
const PERMISSIONS = 0o777
/** The sticky bit, which folders for all users have, such as `/tmp`. */
const SHARED = 0o1000
const ROOT = 0

/** The gateway's own files beside the database; other files in the folder are not touched. */
const OWN_FILES = ['lock', 'lock-journal', 'owner.pid', 'admin-token', 'secret-key', 'demo-key']

/**
 * Creates a data folder that only its owner can enter, or restricts an existing folder to its owner.
 * @param uid the user of this process; undefined if the system has no user IDs. Then no owner or permission is checked,
 * and no permission of an existing folder is changed.
 * @throws {FolderNotPrivate} it is a folder that all users share, or belongs to another user and this is not root.
 */
export const preparePrivateFolder = (folder: string, uid = process.getuid?.()): void => {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
  if (uid === undefined) return
  const { uid: owner, mode } = statSync(folder)
  if ((mode & SHARED) !== 0)
    throw new FolderNotPrivate(
      `The data folder ${resolve(folder)} is one that all users share, so it cannot hold secrets. Give the gateway a folder of its own with GATEWAY_DATA_DIR.`,
    )
  if (owner !== uid && uid !== ROOT)
    throw new FolderNotPrivate(
      `The data folder ${resolve(folder)} belongs to user ${owner}, and this process runs as user ${uid}: it cannot keep others out. Run it as user ${owner}, change the folder's owner (\`chown -R ${uid} ${folder}\`), or set GATEWAY_DATA_DIR to another folder.`,
    )
  restrict(folder, mode, OWNER_ONLY_FOLDER)
}

/** Removes all permissions of other users from the database and the gateway's files in a data folder. */
export const makeContentPrivate = (folder: string, database: string, uid = process.getuid?.()): void => {
  if (uid === undefined) return
  for (const { name, isFile } of list(folder)) if (isFile && OWN_FILES.includes(name)) restrictFile(join(folder, name))
  makeTreePrivate(database)
}

const makeTreePrivate = (folder: string): void => {
  restrict(folder, statSync(folder).mode, OWNER_ONLY_FOLDER)
  for (const { name, isFile, isFolder } of list(folder)) {
    if (isFolder) makeTreePrivate(join(folder, name))
    else if (isFile) restrictFile(join(folder, name))
  }
}

const restrictFile = (file: string): void => restrict(file, lstatSync(file).mode, OWNER_ONLY_FILE)

const restrict = (path: string, mode: number, wanted: number): void => {
  if ((mode & PERMISSIONS) !== wanted) chmodSync(path, wanted)
}

/** The entries of a folder. A link counts as neither file nor folder, because its target may be elsewhere. */
const list = (folder: string): { name: string; isFile: boolean; isFolder: boolean }[] =>
  readdirSync(folder, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    isFile: entry.isFile(),
    isFolder: entry.isDirectory(),
  }))
