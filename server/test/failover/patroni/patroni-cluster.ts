import { randomInt } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { queryOnce } from '../../support/databases/postgres.ts'
import { findUser } from '../../support/databases/postgres-binaries.ts'
import type { DatabaseServers } from '../database-servers.ts'
import { createMachine, type DatabaseMachine } from './database-machine.ts'

const CONFIGURATION = join(import.meta.dirname, '../../../../deploy/patroni')
const MACHINES = [1, 2, 3] as const
const GATEWAY_PASSWORD = 'a-password-of-the-gateway'
const DEADLINE_MS = 120_000

/**
 * Starts three machines that are configured by the files in `deploy/patroni/`. Each has its own loopback address, so
 * that the published ports need no change.
 * @param binaries Folder with PostgreSQL's programs.
 */
export const startPatroniCluster = async (binaries: string): Promise<DatabaseServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-patroni-'))
  own(folder)
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.`
  const machines = MACHINES.map((n) => prepareMachine(n, network, folder, binaries))
  let leader: DatabaseMachine
  let dead: DatabaseMachine | null = null

  const stop = async (): Promise<void> => {
    for (const machine of machines) await machine.kill()
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    for (const machine of machines) machine.start()
    leader = await untilComplete(machines)
    const { PATRONI_SUPERUSER_PASSWORD: password } = parseEnv(readConfiguration('node.env'))
    const url = `postgres://postgres:${password}@${leader.address}/postgres`
    await queryOnce(url, `create role gateway login password '${GATEWAY_PASSWORD}'`)
    await queryOnce(url, 'create database gateway owner gateway')
  } catch (error) {
    const logs = logsOf(machines)
    await stop()
    throw new Error(`The cluster does not start.\n${logs}`, { cause: error })
  }

  return {
    url: `postgres://gateway:${GATEWAY_PASSWORD}@${machines.map(({ address }) => address).join(',')}/gateway`,
    failOver: async () => {
      const others = machines.filter((machine) => machine !== leader)
      dead = leader
      await dead.kill()
      leader = await until('no other machine accepts writes', others, () => findPrimary(others))
    },
    restore: async () => {
      dead?.start()
      leader = await untilComplete(machines)
    },
    stop,
  }
}

const readConfiguration = (name: string): string => readFileSync(join(CONFIGURATION, name), 'utf8')

/** Writes the published files with the names, addresses and folders of one machine. */
const prepareMachine = (n: number, network: string, parent: string, binaries: string): DatabaseMachine => {
  const folder = join(parent, `db${n}`)
  const sockets = join(folder, 'sockets')
  for (const path of [folder, sockets]) {
    mkdirSync(path, { mode: 0o700 })
    own(path)
  }
  const adapt = (name: string, changes: readonly (readonly [string, string])[]): string =>
    changes.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${name} has no ${from}`)
      return text.replaceAll(from, to)
    }, readConfiguration(name))
  /** Replaces the name of the machine only in the lines before the lists of all machines. */
  const ofMachine = (text: string): string => {
    const [own = '', all = ''] = text.split('# The same on all machines.')
    return [own.replaceAll('10.0.0.1:', `10.0.0.${n}:`).replaceAll('db1', `db${n}`), all]
      .join('')
      .replaceAll('10.0.0.', network)
  }
  const patroniYml = join(folder, 'patroni.yml')
  writeFileSync(patroniYml, adapt('patroni.yml', [['/var/run/postgresql', sockets]]))
  return createMachine({
    address: `${network}${n}`,
    folder,
    patroniYml,
    etcdEnv: ofMachine(adapt('etcd.env', [['/var/lib/etcd', folder]])),
    nodeEnv: ofMachine(
      adapt('node.env', [
        ['/usr/lib/postgresql/15/bin', binaries],
        ['/var/lib/postgresql', folder],
      ]),
    ),
  })
}

const own = (path: string): void => {
  const user = findUser()
  if (user !== undefined) chownSync(path, user.uid, user.gid)
}

/** Waits until all machines run, one of them as the leader and one as its synchronous standby; returns the leader. */
const untilComplete = (machines: readonly DatabaseMachine[]): Promise<DatabaseMachine> =>
  until('the cluster is incomplete', machines, async () => {
    const leader = await findPrimary(machines)
    if (leader === undefined) return undefined
    const members = await membersOf(leader)
    const isComplete =
      members.length === machines.length &&
      members.every(({ state }) => state === 'running' || state === 'streaming') &&
      members.some(({ role }) => role === 'sync_standby')
    return isComplete ? leader : undefined
  })

const findPrimary = async (machines: readonly DatabaseMachine[]): Promise<DatabaseMachine | undefined> => {
  const answers = await Promise.all(machines.map(async (machine) => ({ machine, status: await askPrimary(machine) })))
  return answers.find(({ status }) => status === 200)?.machine
}

/** Patroni answers 200 where PostgreSQL is the primary and accepts writes. */
const askPrimary = ({ address }: DatabaseMachine): Promise<number> =>
  fetch(`http://${address}:8008/primary`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status,
    () => 0,
  )

interface Member {
  readonly role: string
  readonly state: string
}

const membersOf = async ({ address }: DatabaseMachine): Promise<readonly Member[]> => {
  const answer = await fetch(`http://${address}:8008/cluster`)
  const { members }: { readonly members: readonly Member[] } = await answer.json()
  return members
}

const logsOf = (machines: readonly DatabaseMachine[]): string =>
  machines.map(({ address, log }) => `${address}:\n${log()}`).join('\n')

const until = async <T>(
  problem: string,
  machines: readonly DatabaseMachine[],
  find: () => Promise<T | undefined>,
): Promise<T> => {
  const deadline = performance.now() + DEADLINE_MS
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`${problem}\n${logsOf(machines)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
