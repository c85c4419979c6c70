import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Access, Statement, Tx } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { openDb } from '../support/databases/open-db.ts'
import { startPostgres, type TestPostgres } from '../support/databases/postgres.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

const statement = (name: string, access: Access, text: string): Statement => ({ name, access, text })
const READ = statement('read', 'read', 'select count(*) as n, pg_sleep($1) from written')
const WRITE = statement('write', 'write', 'insert into written select 1 from pg_sleep($1)')
const TABLE = 'create table written (n integer)'

const NOTHING = { status: 'rejected', reason: { name: 'DatabaseUnavailable', outcome: 'none' } }
const UNKNOWN = { status: 'rejected', reason: { name: 'DatabaseUnavailable', outcome: 'unknown' } }

onPostgres('the outcome of a statement', (database) => {
  let proxy: TcpProxy
  beforeAll(async () => {
    await database.db.exec(TABLE)
    proxy = await startTcpProxy(database.url)
  })
  afterAll(() => proxy.close())
  const written = async (): Promise<number | undefined> => (await database.db.query<{ n: number }>(READ, [0]))[0]?.n
  const SLEEPING = statement(
    'sleeping',
    'read',
    `select count(*) as n from pg_stat_activity where wait_event = 'PgSleep' and application_name = $1`,
  )
  const untilSleeping = (application: string, n: number) =>
    vi.waitFor(async () => expect(await database.db.query(SLEEPING, [application])).toEqual([{ n }]))
  const END = statement(
    'end_sessions',
    'write',
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
  )
  const endSessions = (application: string) =>
    vi.waitFor(async () => expect(await database.db.query(END, [application])).toEqual([]))
  const named = (url: string, application: string): string => `${url}?application_name=${application}`

  it('whose answer is lost is unknown for a write, and none for a read [IDEM-25]', async () => {
    const db = openDb({ url: named(proxy.url, 'cut') })
    const running = Promise.allSettled([
      db.query(WRITE, [2]),
      db.query(READ, [60]),
      db.transaction((tx) => tx.query(WRITE, [60])),
    ])
    await untilSleeping('cut', 3)
    proxy.cut()
    expect(await running).toMatchObject([UNKNOWN, NOTHING, NOTHING])
    // The outcome is truly unknown: this write is committed.
    await vi.waitFor(async () => expect(await written()).toBe(1), { timeout: 20_000 })
    await endSessions('cut')
  })

  it('in a transaction is unknown only after the commit was sent [IDEM-25]', async () => {
    const db = openDb({ url: proxy.url, deadlineMs: 500 })
    const before = await written()
    const lose = async (tx: Tx) => {
      await tx.query(WRITE, [0])
      proxy.swallow('answers')
    }
    const [lost] = await Promise.allSettled([db.transaction(lose)])
    proxy.swallow(null)
    expect(lost).toMatchObject(UNKNOWN)
    expect(await written()).toBe((before ?? 0) + 1)
    const [begun] = await Promise.allSettled([
      db.transaction(async (tx) => {
        await tx.query(WRITE, [0])
        proxy.cut()
        await tx.query(WRITE, [0])
      }),
    ])
    expect(begun).toMatchObject(NOTHING)
    expect(await written()).toBe((before ?? 0) + 1)
  })

  it('is none if the server cancels the statement, and unknown if the server ends the session of a write [IDEM-25]', async () => {
    const db = openDb({ url: database.url, deadlineMs: 1000 })
    expect(await Promise.allSettled([db.query(WRITE, [60])])).toMatchObject([NOTHING])
    const withDefaultDeadline = openDb({ url: named(database.url, 'ended') })
    const ended = Promise.allSettled([withDefaultDeadline.query(WRITE, [60]), withDefaultDeadline.query(READ, [60])])
    await untilSleeping('ended', 2)
    await endSessions('ended')
    // A session that ends may have ended after the commit.
    expect(await ended).toMatchObject([UNKNOWN, NOTHING])
  })
})

describe('a server that does not respond', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
    const db = createPgDb({ url: server.url })
    await db.exec(TABLE)
    await db.close()
  })
  afterAll(() => server.stop())

  it('ends statements at their deadline: only sent writes have an unknown outcome [OPS-17]', async () => {
    const db = openDb({ url: server.url, deadlineMs: 1000, poolSize: 2 })
    await Promise.all([db.query(READ, [0]), db.query(WRITE, [0])])
    server.pause()
    const outcomes = await Promise.allSettled([
      db.query(WRITE, [0]),
      db.query(READ, [0]),
      db.transaction((tx) => tx.query(WRITE, [0])),
      ...Array.from({ length: 40 }, () => db.query(READ, [0])),
    ])
    // The connections are closed by now, and no new one can be opened.
    const later = await Promise.allSettled([db.query(WRITE, [0]), db.transaction((tx) => tx.query(WRITE, [0]))])
    server.resume()
    expect(outcomes[0]).toMatchObject(UNKNOWN)
    for (const outcome of [...outcomes.slice(1), ...later]) expect(outcome).toMatchObject(NOTHING)
    await vi.waitFor(async () => expect(await db.query(READ, [0])).toMatchObject([{ n: 2 }]), { timeout: 20_000 })
    await db.query(WRITE, [0])
  })
})
