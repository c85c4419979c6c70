import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

interface Machine {
  readonly version: string
  readonly platform: string
  readonly arch: string
}
const OLD: Machine = { version: '20.19.0', platform: 'linux', arch: 'x64' }
const RECENT: Machine = { version: '22.18.0', platform: 'linux', arch: 'x64' }

const START = ['node', 'scripts/start.ts']
const OTHER = ['echo', 'it', 'runs']

const SERVING_WITH_NODE =
  'install --frozen-lockfile --prod --trust-lockfile --filter-prod conversation-gateway --filter-prod @conversation-gateway/server... --filter-prod @conversation-gateway/examples...'
const SERVING = `${SERVING_WITH_NODE} --no-optional`
const EVERYTHING = 'install --frozen-lockfile'

/** A copy of the scripts with a fake pnpm that records its arguments and installs nothing. */
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'with-deps-'))
  mkdirSync(join(folder, 'bin'))
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), {
    recursive: true,
    filter: (path) => !path.endsWith('node_modules'),
  })
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  writeFileSync(join(folder, 'pnpm-lock.yaml'), 'one')
  writeFileSync(join(folder, 'scripts/start.ts'), "console.log('it runs')\n")
  writeProgram('npm', '')
  writePnpm('echo "$*" >> installed')
})
afterEach(() => rmSync(folder, { recursive: true }))

const writeProgram = (name: string, script: string): void =>
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

/** If pnpm has no build for this machine, npx installs it. */
const writePnpm = (script: string): void => writeProgram('npx', `shift 3\n${script}`)

const inFolder = (file: string): string => join(folder, file)

const launch = ({ version, platform, arch }: Machine, command: readonly string[]) => {
  const play = `for (const [of, name, value] of ${JSON.stringify([
    ['process', 'platform', platform],
    ['process', 'arch', arch],
    ['versions', 'node', version],
  ])}) Object.defineProperty(of === 'process' ? process : process.versions, name, { value })`
  const { npm_node_execpath: _outer, ...env } = process.env
  return {
    args: ['--import', `data:text/javascript,${encodeURIComponent(play)}`, 'scripts/with-deps.mjs', ...command],
    options: { cwd: folder, env: { ...env, PATH: `${inFolder('bin')}${delimiter}${process.env.PATH}` } },
  }
}

const run = (machine: Machine, command: readonly string[]) => {
  const { args, options } = launch(machine, command)
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { ...options, encoding: 'utf8' })
  return { status, stdout, stderr }
}

const start = (machine: Machine, command: readonly string[]) => {
  const { args, options } = launch(machine, command)
  return spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The arguments of pnpm since the last call. */
const takeInstalled = (): string[] => {
  if (!existsSync(inFolder('installed'))) return []
  const lines = readFileSync(inFolder('installed'), 'utf8').trim().split('\n')
  rmSync(inFolder('installed'))
  return lines
}

describe('the Node of a command', () => {
  it.each(['arm64', 'x64'])(
    'on macOS with %s must be recent: otherwise an error is printed and nothing is installed',
    (arch) => {
      const { status, stdout, stderr } = run({ version: '20.19.0', platform: 'darwin', arch }, OTHER)
      expect(stderr).toBe(
        `Node 22.18 or later is needed, and this is Node 20.19.0. This repository has no Node for darwin-${arch}: install a newer Node from https://nodejs.org. Nothing was installed.\n`,
      )
      expect({ status, stdout, installed: takeInstalled() }).toEqual({ status: 1, stdout: '', installed: [] })
    },
  )

  it.each([
    { version: '22.18.0', platform: 'darwin', arch: 'arm64' },
    { version: '22.18.0', platform: 'darwin', arch: 'x64' },
    OLD,
  ])('is available on $platform-$arch with Node $version', (machine) => {
    const { status, stdout } = run(machine, OTHER)
    expect({ status, stdout, installed: takeInstalled() }).toEqual({
      status: 0,
      stdout: 'it runs\n',
      installed: [EVERYTHING],
    })
  })
})

describe('the dependencies of a command', () => {
  it.each([
    ['without the pinned Node if the installed one is recent', RECENT, SERVING],
    ['with the pinned Node if the installed one is old', OLD, SERVING_WITH_NODE],
  ])('for `npm start` are only those that serving needs, %s', (_when, machine, asked) => {
    const { status, stdout } = run(machine, START)
    expect({ status, stdout, installed: takeInstalled() }).toEqual({
      status: 0,
      stdout: 'it runs\n',
      installed: [asked],
    })
    run(machine, START)
    expect(takeInstalled()).toEqual([])
  })

  it('are completed by the first command that needs more, and `npm start` then keeps them', () => {
    run(OLD, START)
    run(OLD, OTHER)
    run(OLD, START)
    run(RECENT, START)
    expect(takeInstalled()).toEqual([SERVING_WITH_NODE, EVERYTHING])
  })

  it('are completed by the pinned Node when `npm start` runs with an older one', () => {
    run(RECENT, START)
    run(OLD, START)
    run(RECENT, START)
    expect(takeInstalled()).toEqual([SERVING, SERVING_WITH_NODE])
  })

  it('are never reduced: after a full installation, `npm start` with another lockfile installs everything', () => {
    run(OLD, OTHER)
    writeFileSync(inFolder('pnpm-lock.yaml'), 'two')
    run(OLD, START)
    expect(takeInstalled()).toEqual([EVERYTHING, EVERYTHING])
  })

  it('are considered complete if an earlier version of the scripts installed them', () => {
    run(OLD, OTHER)
    const stamp = inFolder('node_modules/.install-stamp')
    const [hash = ''] = readFileSync(stamp, 'utf8').split(' ')
    writeFileSync(stamp, hash)
    run(OLD, OTHER)
    expect(takeInstalled()).toEqual([EVERYTHING])
  })
})

describe('an installation', () => {
  it('that fails ends the command, and the next command installs again', () => {
    writePnpm('exit 7')
    const { status, stdout, stderr } = run(OLD, START)
    expect({ status, stdout }).toEqual({ status: 7, stdout: '' })
    for (const hint of ['HTTPS_PROXY', 'registry=', 'cafile=']) expect(stderr).toContain(hint)
    writePnpm('echo "$*" >> installed')
    expect(run(OLD, START)).toMatchObject({ status: 0, stdout: 'it runs\n' })
    expect(takeInstalled()).toEqual([SERVING_WITH_NODE])
  })

  it('that is interrupted after a change of the lockfile is repeated for either lockfile', () => {
    run(OLD, OTHER)
    writeFileSync(inFolder('pnpm-lock.yaml'), 'two')
    // Ends the script as Ctrl-C does, before it can clean up.
    writePnpm('kill -9 $PPID')
    expect(run(OLD, START).status).toBeNull()
    writePnpm('echo "$*" >> installed')
    writeFileSync(inFolder('pnpm-lock.yaml'), 'one')
    expect(run(OLD, START)).toMatchObject({ status: 0, stdout: 'it runs\n' })
    expect(takeInstalled()).toEqual([EVERYTHING, EVERYTHING])
  })

  it('waits for the installation of another command, and then adds only the missing packages', async () => {
    writePnpm('echo "$*" >> installed\nwhile [ ! -e go ]; do sleep 0.02; done\necho end >> installed')
    const first = start(OLD, START)
    const exits = [once(first, 'exit')]
    const outputs = [text(first.stdout)]
    await until(first, 'Installing the packages that serving needs')
    const others = [start(OLD, OTHER), start(OLD, START)]
    for (const other of others) {
      exits.push(once(other, 'exit'))
      outputs.push(text(other.stdout))
    }
    await Promise.all(others.map((other) => until(other, 'Waiting for another command')))
    writeFileSync(inFolder('go'), '')
    expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0, 0])
    expect(await Promise.all(outputs)).toEqual(['it runs\n', 'it runs\n', 'it runs\n'])
    expect(takeInstalled()).toEqual([SERVING_WITH_NODE, 'end', EVERYTHING, 'end'])
  })
})

/** Resolves when the process has written a text to its standard error. */
const until = ({ stderr }: ReturnType<typeof start>, wanted: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let written = ''
    stderr.setEncoding('utf8').on('data', (chunk: string) => {
      written += chunk
      if (written.includes(wanted)) resolve()
    })
    stderr.on('end', () => reject(new Error(`It ended without “${wanted}”:\n${written}`)))
  })
