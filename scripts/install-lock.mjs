// Plain JavaScript without dependencies: an older Node with nothing installed has to run it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const POLL_MS = 200

/**
 * Runs an installation alone: of two at once, one would remove what the other has just installed. Waits for the
 * installation of another process.
 * @param {string} lock The file that says which process installs.
 * @param {() => void} install
 */
export function holdInstallLock(lock, install) {
  mkdirSync(dirname(lock), { recursive: true })
  for (let attempt = 0; !takeLock(lock); attempt++) {
    if (attempt === 1) console.error('Waiting for another command that installs dependencies …')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
  // A failed installation ends the process; so does Ctrl-C, which leaves the lock to the next one.
  const release = () => rmSync(lock, { force: true })
  process.on('exit', release)
  install()
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
    const holder = Number(readOrEmpty(lock))
    if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true })
    return false
  }
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
