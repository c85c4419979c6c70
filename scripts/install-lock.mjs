// Plain JavaScript without dependencies: an older Node with nothing installed has to run it.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { describeHolder, isHolderAlive, pidOfHolder } from './lock-holder.mjs'

const POLL_MS = 200

/** How long a lock file may be empty. Its holder writes into the file right after creating it. */
const EMPTY_MS = 5000

/**
 * Runs an installation while no other process installs: of two at once, one would remove packages that the other has
 * just installed. Waits until the other process has finished.
 * @param {string} lock The file that names the process that installs.
 * @param {() => void | Promise<void>} install
 */
export async function holdInstallLock(lock, install) {
  mkdirSync(dirname(lock), { recursive: true })
  for (let attempt = 0; !takeLock(lock); attempt++) {
    if (attempt === 1)
      console.error(
        `Waiting for another command that installs dependencies: process ${pidOfHolder(readOrEmpty(lock)) || 'unknown'}. If no such process is installing, delete ${lock} …`,
      )
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
  // If the installation fails, the process exits, and this handler removes the lock. Ctrl-C leaves the lock to the next
  // process.
  const release = () => rmSync(lock, { force: true })
  process.on('exit', release)
  await install()
  process.off('exit', release)
  release()
}

/** @param {string} lock */
function takeLock(lock) {
  const file = createOrNull(lock)
  if (file === null) {
    removeDeadLock(lock)
    return false
  }
  try {
    writeSync(file, describeHolder())
    return true
  } catch (error) {
    // On a full disk, the file was created but stays empty.
    rmSync(lock, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** @param {string} file */
function createOrNull(file) {
  try {
    return openSync(file, 'wx')
  } catch (error) {
    if (error.code === 'EEXIST') return null
    throw error
  }
}

/**
 * Removes a lock whose holder has died. Two commands may notice the death at the same moment, and the second must not
 * remove the new lock of the first. So removal itself needs a lock, and checks the holder again.
 * @param {string} lock
 */
function removeDeadLock(lock) {
  const holder = deadHolderOf(lock)
  if (holder === null) return
  const removal = `${lock}.${holder}`
  if (!takeLock(removal)) return
  if (deadHolderOf(lock) === holder) rmSync(lock, { force: true })
  rmSync(removal, { force: true })
}

/**
 * The PID of the holder if it is dead; 0 for an old lock without a PID; null otherwise.
 * @param {string} lock
 */
function deadHolderOf(lock) {
  const text = readOrEmpty(lock)
  const holder = pidOfHolder(text)
  const isDead = holder > 0 ? !isHolderAlive(text) : ageOf(lock) > EMPTY_MS
  return isDead ? holder : null
}

/** @param {string} file */
function ageOf(file) {
  const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(file, { throwIfNoEntry: false }) ?? {}
  return Date.now() - mtimeMs
}

/** @param {string} file */
function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The lock was released meanwhile.
    return ''
  }
}
