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

const startLocker = async (): Promise<{ child: ChildProcess; printed: string }> => {
  const child = spawn(process.execPath, [SCRIPT, 'lock', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [printed] = await once(createInterface(child.stdout), 'line')
  return { child, printed: String(printed) }
}

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

describe('the lock of a data folder', () => {
  it('creates a missing folder', () => {
    const lock = lockFolder(folder)
    expect(existsSync(folder)).toBe(true)
    lock.release()
  })

  it('is refused to the same process until it is released; a refused attempt does not release it', () => {
    const lock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(FolderInUse)
    expect(() => lockFolder(folder)).toThrow(FolderInUse)
    lock.release()
    lock.release()
    lockFolder(folder).release()
  })

  it('is refused to another process, with the owner and the setting to change', async () => {
    const { child, printed } = await startLocker()
    expect(printed).toBe('locked')
    const attempt = (): unknown => lockFolder(folder)
    expect(attempt).toThrow(FolderInUse)
    expect(attempt).toThrow(`in use by process ${child.pid}:`)
    expect(attempt).toThrow(folder)
    expect(attempt).toThrow('GATEWAY_DATA_DIR')
  })

  it('is released when its process is killed', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { child, printed } = await startLocker()
      expect(printed).toBe('locked')
      await kill(child)
      lockFolder(folder).release()
    }
  })

  it('is acquired by exactly one of several processes after its owner was killed', async () => {
    const { child } = await startLocker()
    await kill(child)
    const starters = await Promise.all(Array.from({ length: 4 }, startLocker))
    const winners = starters.filter(({ printed }) => printed === 'locked')
    expect(winners).toHaveLength(1)
    for (const { printed } of starters) {
      if (printed !== 'locked') expect(printed).toMatch(/^FolderInUse: .* in use by (process \d+|another process):/)
    }
  })
})
