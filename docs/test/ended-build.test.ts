import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pidOfHolder } from '../../scripts/lock-holder.mjs'
import { discardBuild } from '../src/build-lock.ts'
import { CACHE, REPOSITORY, UNFINISHED } from '../src/folders.ts'

let temporary: string
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'ended-build-'))
})
afterEach(() => rm(temporary, { recursive: true, force: true }))

const LOOK_MS = 20
const LOCK = join(CACHE, 'build.lock')

it('an interrupted build leaves nothing in the system’s temporary folder, and discardBuild removes its unfinished files', async () => {
  const build = spawn(process.execPath, [join(REPOSITORY, 'docs/src/build.ts')], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: 'ignore',
  })
  const ended = once(build, 'exit')
  const isBuilding = async (): Promise<boolean> =>
    existsSync(UNFINISHED.temporary) && pidOfHolder(await readFile(LOCK, 'utf8').catch(() => '')) === build.pid
  while (!(await isBuilding()) && build.exitCode === null) await pause(LOOK_MS)
  build.kill()
  await ended
  expect(await readdir(temporary)).toEqual([])
  await discardBuild(build.pid ?? 0)
  expect(Object.values(UNFINISHED).filter((place) => existsSync(place))).toEqual([])
  expect(existsSync(LOCK)).toBe(false)
})
