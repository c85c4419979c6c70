import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'built-main-'))
  copyFileSync(join(import.meta.dirname, 'built-main.mjs'), join(folder, 'main.mjs'))
  mkdirSync(join(folder, 'server/src'), { recursive: true })
  writeFileSync(join(folder, 'server/src/main.js'), "console.log('serves')")
})
afterEach(() => rmSync(folder, { recursive: true }))

const startWith = (version: string) => {
  const preload = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
  return spawnSync(process.execPath, ['--import', preload, join(folder, 'main.mjs')], { encoding: 'utf8' })
}

it('a built gateway loads nothing with an older Node, and names the version that it needs', () => {
  const { status, stdout, stderr } = startWith('20.20.2')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    `This gateway needs Node 24 or later, and ${process.execPath} is Node 20.20.2. Put a newer one first in PATH.\n`,
  )
})

it('a built gateway starts with the oldest Node that it needs', () => {
  expect(startWith('24.0.0')).toMatchObject({ status: 0, stdout: 'serves\n', stderr: '' })
})
