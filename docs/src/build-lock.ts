import { rmSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CACHE, UNFINISHED } from './folders.ts'

const LOCK = join(CACHE, 'build.lock')
const POLL_MS = 200

/**
 * Runs a build alone: VitePress has one folder for what it is working on. Waits for a build of another process. Ended by a
 * signal, the process leaves nothing of the unfinished build.
 */
export const holdBuildLock = async (build: () => Promise<void>): Promise<void> => {
  await mkdir(CACHE, { recursive: true })
  while (!(await takeLock())) await sleep(POLL_MS)
  const end = (signal: NodeJS.Signals): never => {
    for (const place of [...Object.values(UNFINISHED), LOCK]) rmSync(place, { recursive: true, force: true })
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of SIGNALS) process.once(signal, end)
  try {
    await build()
  } finally {
    for (const signal of SIGNALS) process.off(signal, end)
    await rm(LOCK, { force: true })
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const takeLock = async (): Promise<boolean> => {
  try {
    await writeFile(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    const holder = Number(await readFile(LOCK, 'utf8').catch(() => ''))
    // A holder that was killed could not give it back.
    if (holder > 0 && !isAlive(holder)) await rm(LOCK, { force: true })
    return false
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
