import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const MODULE = new URL('./install-lock.mjs', import.meta.url).href

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const inFolder = (file: string): string => join(folder, file)
const linesOf = (file: string): string[] =>
  existsSync(inFolder(file)) ? readFileSync(inFolder(file), 'utf8').trim().split('\n') : []

/** Installs under the lock: notes when it begins and ends, and continues until a file `go` exists. */
const install = (
  name: string,
  before = '',
  shell = '',
): ChildProcess & { readonly waits: () => boolean; readonly errors: () => string } => {
  const program = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const until = (file) => { while (!fs.existsSync(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5) }
    ${before}
    const { holdInstallLock } = await import('${MODULE}')
    await holdInstallLock('lock', () => {
      fs.appendFileSync('log', '${name} begins\\n')
      until('go')
      fs.appendFileSync('log', '${name} ends\\n')
    })`
  const child = spawn(
    'sh',
    ['-c', `${shell} exec "$@"`, 'sh', process.execPath, '--input-type=module', '-e', program],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return Object.assign(child, {
    waits: () => errors.includes('Waiting for another command'),
    errors: () => errors,
  })
}

/** Installs at once, although the folder may contain the lock of a dead process. */
const expectInstallation = async (before = ''): Promise<void> => {
  writeFileSync(inFolder('go'), '')
  await once(install('next', before), 'exit')
  expect(linesOf('log')).toEqual(['next begins', 'next ends'])
}

/** Reads the lock, waits until another process installs, and continues with the outdated text. */
const READS_EARLY = `
  const { readFileSync } = fs
  fs.readFileSync = (...args) => {
    const text = readFileSync(...args)
    if (String(args[0]) === 'lock' && !fs.existsSync('has-read')) {
      fs.writeFileSync('has-read', '')
      until('log')
    }
    return text
  }
  syncBuiltinESMExports()`

it('two commands that notice the death of the holder at the same moment install one after the other', async () => {
  writeFileSync(inFolder('lock'), String(spawnSync('true').pid))
  const late = install('late', READS_EARLY)
  await untilHolds(() => existsSync(inFolder('has-read')))
  const first = install('first')
  await untilHolds(() => late.waits() || linesOf('log').includes('late begins'))
  writeFileSync(inFolder('go'), '')
  await Promise.all([late, first].map((child) => child.exitCode ?? once(child, 'exit')))
  expect(linesOf('log')).toEqual(['first begins', 'first ends', 'late begins', 'late ends'])
})

it('takes over a lock whose previous taker died during its own takeover', async () => {
  const [dead, taker] = [spawnSync('true').pid, spawnSync('true').pid]
  writeFileSync(inFolder('lock'), String(dead))
  writeFileSync(inFolder(`lock.${dead}`), String(taker))
  await expectInstallation()
})

it('takes over the lock of a dead process that had the same PID, because containers reuse PIDs', async () => {
  await expectInstallation("fs.writeFileSync('lock', String(process.pid))")
})

it.runIf(process.platform === 'linux')('takes over the lock of a dead process whose PID was reused', async () => {
  writeFileSync(inFolder('lock'), `${process.pid} 1`)
  await expectInstallation()
})

it('leaves no lock if the disk is full', async () => {
  const next = install('next', '', 'ulimit -f 0;')
  await (next.exitCode ?? once(next, 'exit'))
  expect(next.exitCode).toBe(1)
  expect(existsSync(inFolder('lock'))).toBe(false)
})

it('takes over an old lock without a PID', async () => {
  writeFileSync(inFolder('lock'), '')
  utimesSync(inFolder('lock'), 0, 0)
  await expectInstallation()
})

it('says which process it waits for, and which file to delete if no such process is installing', async () => {
  writeFileSync(inFolder('lock'), String(process.pid))
  writeFileSync(inFolder('go'), '')
  const next = install('next')
  await untilHolds(next.waits)
  expect(next.errors()).toContain(`process ${process.pid}. If no such process is installing, delete lock …`)
  rmSync(inFolder('lock'))
  await (next.exitCode ?? once(next, 'exit'))
  expect(linesOf('log')).toEqual(['next begins', 'next ends'])
})

const untilHolds = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
