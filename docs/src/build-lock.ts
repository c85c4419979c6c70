import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeHolder, isHolderAlive, pidOfHolder } from '../../scripts/lock-holder.mjs'
import { CACHE, UNFINISHED } from './folders.ts'

const LOCK = join(CACHE, 'build.lock')
const POLL_MS = 200

/** Runs one build at a time, across processes, because all builds of VitePress share a working folder. */
export const holdBuildLock = async (build: () => Promise<void>): Promise<void> => {
  await mkdir(CACHE, { recursive: true })
  while (!(await takeLock())) await sleep(POLL_MS)
  try {
    await build()
  } finally {
    await rm(LOCK, { force: true })
  }
}

/** Removes the lock and the unfinished files of an ended process that still holds the lock. */
export const discardBuild = async (pid: number): Promise<void> => {
  if (pidOfHolder(await readLock()) !== pid) return
  for (const place of [...Object.values(UNFINISHED), LOCK]) await rm(place, { recursive: true, force: true })
}

const takeLock = async (): Promise<boolean> => {
  try {
    await writeFile(LOCK, describeHolder(), { flag: 'wx' })
    return true
  } catch {
    const holder = await readLock()
    // A killed process cannot release its lock.
    if (pidOfHolder(holder) > 0 && !isHolderAlive(holder)) await rm(LOCK, { force: true })
    return false
  }
}

const readLock = (): Promise<string> => readFile(LOCK, 'utf8').catch(() => '')
