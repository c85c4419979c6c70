import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeHolder, isHolderAlive, pidOfHolder } from './lock-holder.mjs'

const MODULE = new URL('./lock-holder.mjs', import.meta.url).href

describe('the holder of a lock', () => {
  /** Describes itself as the holder of a lock, and continues until its input ends. */
  const program = `process.stdout.write((await import('${MODULE}')).describeHolder()); process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  let text = ''
  beforeAll(async () => {
    text = String((await once(child.stdout, 'data'))[0])
  })
  afterAll(() => child.stdin.end())

  it('is alive while its process runs', () => {
    expect(pidOfHolder(text)).toBe(child.pid)
    expect(isHolderAlive(text)).toBe(true)
  })

  it('is alive if the lock contains only its PID', () => {
    expect(isHolderAlive(String(child.pid))).toBe(true)
  })

  it.runIf(process.platform === 'linux')('is dead if its PID now belongs to another process', () => {
    expect(isHolderAlive(`${child.pid} 1`)).toBe(false)
  })

  it('is dead if its process has ended', () => {
    expect(isHolderAlive(String(spawnSync('true').pid))).toBe(false)
  })

  it('is dead if it has the PID of the waiting process', () => {
    expect(isHolderAlive(describeHolder())).toBe(false)
  })
})
