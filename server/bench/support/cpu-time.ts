import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The clock tick of /proc: a hundredth of a second on every Linux that Node supports. */
const TICK_MS = 10

/** CPU time of a process in milliseconds, optionally with that of its children that have ended. */
const cpuMs = (pid: number, withEnded = false): number => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, withEnded ? 15 : 13).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS
}

const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []))

export const cpuOfProcess = (pid: number): number => cpuMs(pid)

/** CPU time of a PostgreSQL server with all its sessions and workers, in milliseconds. */
export const cpuOfPostgres = (dataFolder: string): number => {
  const pid = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  let total = cpuMs(pid, true)
  for (const child of childrenOf(pid))
    try {
      total += cpuMs(child)
    } catch {
      // The process has just ended. Later readings include its time in that of the server.
    }
  return total
}
