import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Row } from '../bench/support/ratios.ts'
import { failOverRepeatedly } from '../test/failover/failover-run.ts'
import { startServerPair } from '../test/failover/server-pair.ts'
import { ask, finishedRecords, ROUTES, requestTo } from '../test/support/api-routes.ts'
import { eventually, script } from '../test/support/client.ts'
import { startPostgres, type TestPostgres } from '../test/support/databases/postgres.ts'
import { mountSmallDisk, type SmallDisk } from '../test/support/databases/small-disk.ts'
import { debianPostgres } from '../test/support/debian-packages.ts'
import type { Effort } from './effort.ts'
import type { DatabaseKind, Scene } from './scene.ts'
import { ENDPOINTS, startScene } from './scene.ts'

const ASKERS = 4
const READY_WITHIN_MS = 120_000

interface Outage {
  /** A clause that completes the row's title "answers 500 while …". */
  readonly name: string
  readonly begin: () => void | Promise<void>
  readonly end: () => void | Promise<void>
}

/**
 * The number of requests answered with 500 in each database outage, on a separate gateway and a small disk; for
 * PostgreSQL also in failovers.
 */
export const countFaultsInOutages = async (
  kind: DatabaseKind,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const disk = mountSmallDisk()
  const fullDisk: Outage = { name: 'the disk is full', begin: () => disk.fill(), end: () => disk.free() }
  try {
    if (kind === 'postgres') return await onServer(disk, fullDisk, effort, onProgress)
    const scene = await startScene({ kind, folder: join(disk.folder, 'data') })
    try {
      return [await countFaults(scene, fullDisk, effort)]
    } finally {
      await scene.close()
    }
  } finally {
    disk.free()
    disk.remove()
  }
}

const onServer = async (
  disk: SmallDisk,
  fullDisk: Outage,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const parentFolder = join(disk.folder, 'data')
  mkdirSync(parentFolder)
  // The server runs as a different user.
  chmodSync(parentFolder, 0o777)
  const settings = { max_wal_size: '32MB', min_wal_size: '32MB' }
  const server = await startPostgres({ durable: true, parentFolder, settings })
  try {
    const scene = await startScene({ kind: 'postgres', serverUrl: server.url })
    const rows: Row[] = []
    try {
      const stopped = { name: 'the database is stopped', begin: server.shutDown, end: server.start }
      for (const outage of [stopped, readOnly(server), fullDisk]) {
        onProgress(`postgres: ${outage.name}`)
        rows.push(await countFaults(scene, outage, effort))
      }
    } finally {
      await scene.close()
    }
    return [...rows, await countFaultsInFailover(effort, onProgress)]
  } finally {
    await server.stop()
  }
}

const readOnly = (server: TestPostgres): Outage => {
  const setReadOnly = async (state: 'on' | 'off'): Promise<void> => {
    const session = new Client(server.url)
    await session.connect()
    try {
      await session.query(`alter system set default_transaction_read_only = ${state}`)
      await session.query('select pg_reload_conf()')
    } finally {
      await session.end()
    }
  }
  return { name: 'the server is read-only', begin: () => setReadOnly('on'), end: () => setReadOnly('off') }
}

/** Repeatedly requests every route: before the outage, during it, and until the gateway is ready again. */
const countFaults = async (scene: Scene, { name, begin, end }: Outage, { measureMs }: Effort): Promise<Row> => {
  const client = scene.attacker.client()
  const hanging = script({ hang: true })
  const records = await finishedRecords(client, ENDPOINTS.attack, hanging)
  const answers = new Map<number, number>()
  let isOver = false
  const keepAsking = async (first: number): Promise<void> => {
    for (let n = first; !isOver; n += 1) {
      const route = ROUTES[n % ROUTES.length]
      if (route === undefined) continue
      const { status } = await ask(client, route, requestTo(route, records))
      answers.set(status, (answers.get(status) ?? 0) + 1)
      // Below the rate limit of a key, because 429 would hide other answers.
      await sleep(ASKERS * 5)
    }
  }
  const readiness = async () => ({ status: (await fetch(`${scene.gateway().baseUrl}/readyz`)).status })
  const asking = Promise.all(Array.from({ length: ASKERS }, (_, n) => keepAsking(n * 5)))
  try {
    await begin()
    await eventually(readiness, ({ status }) => status === 503, READY_WITHIN_MS)
    await sleep(measureMs)
    await end()
    await eventually(readiness, ({ status }) => status === 200, READY_WITHIN_MS)
  } finally {
    isOver = true
    await asking
  }
  return {
    name: `${scene.kind}: answers 500 while ${name}`,
    ratio: answers.get(500) ?? 0,
    bound: { atMost: 0 },
    detail: `${ROUTES.length} routes, answers by status ${JSON.stringify(Object.fromEntries(answers))}`,
  }
}

const countFaultsInFailover = async ({ failovers }: Effort, onProgress: (line: string) => void): Promise<Row> => {
  const servers = await startServerPair(debianPostgres())
  const { internalErrors, answers, outagesMs } = await failOverRepeatedly(servers, failovers, onProgress)
  const longest = (Math.max(...outagesMs) / 1000).toFixed(1)
  return {
    name: `postgres: answers 500 in ${failovers} failovers`,
    ratio: internalErrors,
    bound: { atMost: 0 },
    detail: `answers by status ${JSON.stringify(answers)}; first 202 after ${longest} s at most`,
  }
}
