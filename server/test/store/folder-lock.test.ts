import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderInUse, lockFolder } from '../../src/store/drivers/folder-lock.ts'

const SCRIPT = fileURLToPath(new URL('../support/folder-process.ts', import.meta.url))

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'gateway-lock-')), 'data')
})
afterEach(async () => {
  await Promise.all(children.splice(0).map(kill))
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

const startLocker = async (): Promise<{ child: ChildProcess; said: string }> => {
  const child = spawn(process.execPath, [SCRIPT, 'lock', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [said] = await once(createInterface(child.stdout), 'line')
  return { child, said: String(said) }
}

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

describe('the lock of a data folder', () => {
  it('makes the folder when it is missing', () => {
    const lock = lockFolder(folder)
    expect(existsSync(folder)).toBe(true)
    lock.release()
  })

  it('refuses a second time in the same process, until it is released', () => {
    const lock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(FolderInUse)
    lock.release()
    lock.release()
    lockFolder(folder).release()
  })

  it('is not taken away by a refused attempt', () => {
    const lock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(FolderInUse)
    expect(() => lockFolder(folder)).toThrow(FolderInUse)
    lock.release()
  })

  it('refuses another process, naming the owner and the way out', async () => {
    const { child, said } = await startLocker()
    expect(said).toBe('locked')
    const attempt = (): unknown => lockFolder(folder)
    expect(attempt).toThrow(FolderInUse)
    expect(attempt).toThrow(`in use by process ${child.pid}:`)
    expect(attempt).toThrow(folder)
    expect(attempt).toThrow('GATEWAY_DATA_DIR')
  })

  it('ends with its process, also with one that is killed', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { child, said } = await startLocker()
      expect(said).toBe('locked')
      await kill(child)
      lockFolder(folder).release()
    }
  })

  it('is taken over by exactly one of several starters, after its owner was killed', async () => {
    const { child } = await startLocker()
    await kill(child)
    const starters = await Promise.all(Array.from({ length: 4 }, startLocker))
    const winners = starters.filter(({ said }) => said === 'locked')
    expect(winners).toHaveLength(1)
    for (const { said } of starters) {
      if (said !== 'locked') expect(said).toMatch(/^FolderInUse: .* in use by (process \d+|another process):/)
    }
  })
})
