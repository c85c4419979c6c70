// Plain JavaScript without dependencies: an older Node with nothing installed has to run it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const POLL_MS = 200

/**
 * Runs an installation alone: of two at once, one would remove what the other has just installed. Waits for the
 * installation of another process.
 * @param {string} lock The file that says which process installs.
 * @param {() => void | Promise<void>} install
 */
export async function holdInstallLock(lock, install) {
  mkdirSync(dirname(lock), { recursive: true })
  for (let attempt = 0; !takeLock(lock); attempt++) {
    if (attempt === 1) console.error('Waiting for another command that installs dependencies …')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
  // A failed installation ends the process; so does Ctrl-C, which leaves the lock to the next one.
  const release = () => rmSync(lock, { force: true })
  process.on('exit', release)
  await install()
  process.off('exit', release)
  release()
}

/** @param {string} lock */
function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    removeDeadLock(lock)
    return false
  }
}

/**
 * Removes a lock whose holder has died. Two commands may find that at the same moment, and the second must not remove the new
 * lock of the first: so who removes the lock of a holder has a lock for that, and looks again.
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

/** @param {string} lock */
function deadHolderOf(lock) {
  const holder = Number(readOrEmpty(lock))
  return holder > 0 && !isAlive(holder) ? holder : null
}

/** @param {string} file */
function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Released in the meantime.
    return ''
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
