import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { chooseNode } from './choose-node.mjs'

const ROOT = join(import.meta.dirname, '..')
const pinned = Object.keys(manifest.optionalDependencies)

describe('the Node of a command', () => {
  it.each([
    ['22.18.0', 'darwin', 'arm64', 'present'],
    ['22.18.0', 'linux', 'x64', 'present'],
    ['26.1.0', 'darwin', 'x64', 'present'],
    ['22.17.9', 'linux', 'x64', 'pinned'],
    ['20.19.0', 'linux', 'arm64', 'pinned'],
    ['20.19.0', 'win32', 'x64', 'pinned'],
    ['22.17.9', 'darwin', 'arm64', 'none'],
    ['20.19.0', 'darwin', 'x64', 'none'],
    ['20.19.0', 'linux', 'ppc64', 'none'],
  ] as const)('is, with Node %s on %s-%s: %s', (version, platform, arch, kind) => {
    expect(chooseNode({ version, platform, arch, pinned }).kind).toBe(kind)
  })
})

describe('a command on a played machine', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'choose-node-'))
    for (const name of ['bin', 'node_modules']) mkdirSync(join(folder, name))
    // Leaves a trace of every installation, and installs nothing.
    for (const program of ['npm', 'npx'])
      writeFileSync(join(folder, 'bin', program), `#!/bin/sh\necho "$0 $*" >> ${folder}/installed\n`, { mode: 0o755 })
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    })
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const run = (version: string, platform: string, arch: string) => {
    for (const trace of ['installed', 'node_modules/.install-stamp']) rmSync(join(folder, trace), { force: true })
    const play = `for (const [of, name, value] of ${JSON.stringify([
      ['process', 'platform', platform],
      ['process', 'arch', arch],
      ['versions', 'node', version],
    ])}) Object.defineProperty(of === 'process' ? process : process.versions, name, { value })`
    const { npm_node_execpath: _outer, ...env } = process.env
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(play)}`, 'scripts/with-deps.mjs', 'echo', 'it', 'runs'],
      {
        cwd: folder,
        env: { ...env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` },
        encoding: 'utf8',
      },
    )
    return { status, stdout, stderr, installed: existsSync(join(folder, 'installed')) }
  }

  it.each(['arm64', 'x64'])('of macOS on %s refuses an old Node in one sentence and installs nothing', (arch) => {
    const { status, stdout, stderr, installed } = run('20.19.0', 'darwin', arch)
    expect(stderr).toBe(
      `Node 22.18 or later is needed, and this is Node 20.19.0: install a newer one from https://nodejs.org, since there is no package of it for darwin-${arch}. Nothing was installed.\n`,
    )
    expect({ status, stdout, installed }).toEqual({ status: 1, stdout: '', installed: false })
  })

  it.each([
    ['22.18.0', 'darwin', 'arm64'],
    ['22.18.0', 'darwin', 'x64'],
    ['20.19.0', 'linux', 'x64'],
  ])('with Node %s on %s-%s installs and runs', (version, platform, arch) => {
    const { status, stdout, installed } = run(version, platform, arch)
    expect({ status, stdout, installed }).toEqual({ status: 0, stdout: 'it runs\n', installed: true })
  })
})
