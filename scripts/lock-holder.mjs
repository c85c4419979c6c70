// Plain JavaScript without dependencies: an older Node with nothing installed has to run it.
import { readFileSync } from 'node:fs'

/** Index of the start time among the fields of `/proc/<pid>/stat` that follow the program's name. */
const STARTED = 19

/** The content of a lock file: the PID of this process, and on Linux its start time, because the system reuses PIDs. */
export function describeHolder() {
  return [process.pid, startOf(process.pid)].filter((each) => each !== null).join(' ')
}

/**
 * @param {string} text The content of a lock file.
 * @returns {number} The PID of its holder; 0 if the file is empty.
 */
export function pidOfHolder(text) {
  return Number(text.split(' ', 1)[0])
}

/**
 * Whether the process that a lock file describes still runs. This process asks only while it waits for the lock. A lock
 * with its own PID is therefore that of a dead process with the same PID: each new container numbers its processes from
 * 1.
 * @param {string} text
 */
export function isHolderAlive(text) {
  const pid = pidOfHolder(text)
  if (pid === process.pid || !isAlive(pid)) return false
  const [, started] = text.split(' ')
  const startedNow = startOf(pid)
  return started === undefined || startedNow === null || started === startedNow
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

/**
 * When a process started, in clock ticks since the boot of the machine; null if the system does not provide it.
 * @param {number} pid
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in parentheses, and may itself contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[STARTED] ?? null
  } catch {
    return null
  }
}
