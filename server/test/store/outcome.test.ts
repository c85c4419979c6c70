import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Access, Db, Statement, Tx } from '../../src/store/db.ts'
import { createPgDb, type PgDbOptions } from '../../src/store/drivers/pg.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { startPostgres, type TestPostgres } from '../support/databases/postgres.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

const statement = (name: string, access: Access, text: string): Statement => ({ name, access, text })
const READ = statement('read', 'read', 'select count(*) as n, pg_sleep($1) from written')
const WRITE = statement('write', 'write', 'insert into written select 1 from pg_sleep($1)')
const TABLE = 'create table written (n integer)'

const NOTHING = { status: 'rejected', reason: { name: 'DatabaseUnavailable', outcome: 'none' } }
const UNKNOWN = { status: 'rejected', reason: { name: 'DatabaseUnavailable', outcome: 'unknown' } }

const opened: Db[] = []
const open = (options: PgDbOptions): Db => {
  const db = createPgDb(options)
  opened.push(db)
  return db
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()))
})

onPostgres('what becomes of a statement', (database) => {
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

  it('whose answer is lost is unknown where it writes, and nothing where it reads [IDEM-25]', async () => {
    const db = open({ url: named(proxy.url, 'cut') })
    const underWay = Promise.allSettled([
      db.query(WRITE, [2]),
      db.query(READ, [60]),
      db.transaction((tx) => tx.query(WRITE, [60])),
    ])
    await untilSleeping('cut', 3)
    proxy.cut()
    expect(await underWay).toMatchObject([UNKNOWN, NOTHING, NOTHING])
    // It is unknown for a reason: this one is committed.
    await vi.waitFor(async () => expect(await written()).toBe(1), { timeout: 20_000 })
    await endSessions('cut')
  })

  it('in a transaction is unknown only once the commit is on its way [IDEM-25]', async () => {
    const db = open({ url: proxy.url, deadlineMs: 500 })
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

  it('that the server gives up, or ends with its session, is what the server says of it [IDEM-25]', async () => {
    const db = open({ url: database.url, deadlineMs: 1000 })
    expect(await Promise.allSettled([db.query(WRITE, [60])])).toMatchObject([NOTHING])
    const patient = open({ url: named(database.url, 'ended') })
    const ended = Promise.allSettled([patient.query(WRITE, [60]), patient.query(READ, [60])])
    await untilSleeping('ended', 2)
    await endSessions('ended')
    // A session that ends may have ended after the commit.
    expect(await ended).toMatchObject([UNKNOWN, NOTHING])
  })
})

describe('a server that stands still', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
    const db = createPgDb({ url: server.url })
    await db.exec(TABLE)
    await db.close()
  })
  afterAll(() => server.stop())

  it('is waited for until the deadline, which tells writes that were sent from all others [OPS-17]', async () => {
    const db = open({ url: server.url, deadlineMs: 1000, poolSize: 2 })
    await Promise.all([db.query(READ, [0]), db.query(WRITE, [0])])
    server.pause()
    const outcomes = await Promise.allSettled([
      db.query(WRITE, [0]),
      db.query(READ, [0]),
      db.transaction((tx) => tx.query(WRITE, [0])),
      ...Array.from({ length: 40 }, () => db.query(READ, [0])),
    ])
    // Meanwhile the connections are given up, and no other one can be opened.
    const later = await Promise.allSettled([db.query(WRITE, [0]), db.transaction((tx) => tx.query(WRITE, [0]))])
    server.resume()
    expect(outcomes[0]).toMatchObject(UNKNOWN)
    for (const outcome of [...outcomes.slice(1), ...later]) expect(outcome).toMatchObject(NOTHING)
    await vi.waitFor(async () => expect(await db.query(READ, [0])).toMatchObject([{ n: 2 }]), { timeout: 20_000 })
    await db.query(WRITE, [0])
  })
})
