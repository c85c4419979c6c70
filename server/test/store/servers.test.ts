import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Access, DatabaseUnavailable, type Db, type Statement } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { openDb } from '../support/databases/open-db.ts'
import { startPostgres, type TestPostgres } from '../support/databases/postgres.ts'

const statement = (name: string, access: Access, text: string): Statement => ({ name, access, text })
const WRITE = statement('write', 'write', 'insert into written (text) values ($1)')
const READ = statement('read', 'read', 'select text from written order by text')
const WHERE = statement('where', 'read', 'select inet_server_port() as port')
const PID = statement('pid', 'read', 'select pg_backend_pid() as pid')

const portOf = ({ url }: TestPostgres): number => Number(new URL(url).port)
const across = (servers: readonly TestPostgres[], query = ''): string =>
  `postgres://postgres@${servers.map((server) => `127.0.0.1:${portOf(server)}`).join(',')}/postgres${query}`

const port = async (db: Db): Promise<number | undefined> => (await db.query<{ port: number }>(WHERE, []))[0]?.port
const pid = async (db: Db): Promise<number | undefined> => (await db.query<{ pid: number }>(PID, []))[0]?.pid

describe('several servers', () => {
  let primary: TestPostgres
  let standby: TestPostgres
  beforeAll(async () => {
    primary = await startPostgres()
    const db = createPgDb({ url: primary.url })
    await db.exec('create table written (text text)')
    await db.close()
    await primary.shutDown()
    standby = await startPostgres({ standbyOf: primary })
    await primary.start()
  })
  afterAll(async () => {
    await primary.stop()
    await standby.stop()
  })

  it('are tried in turn until one accepts writes [OPS-22]', async () => {
    expect(await port(openDb({ url: across([standby, primary]) }))).toBe(portOf(primary))
    expect(await port(openDb({ url: across([primary, standby], '?target_session_attrs=primary') }))).toBe(
      portOf(primary),
    )
  })

  it('are all accepted with target_session_attrs=any', async () => {
    const db = openDb({ url: across([standby, primary], '?target_session_attrs=any') })
    expect(await port(db)).toBe(portOf(standby))
    expect(await db.query(READ, [])).toEqual([])
  })

  it('are listed in the error with their reasons if none can be used', async () => {
    const db = openDb({ url: `postgres://postgres@127.0.0.1:${portOf(standby)},127.0.0.1:1/postgres` })
    const refused = db.query(WRITE, ['never'])
    await expect(refused).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(refused).rejects.toMatchObject({
      outcome: 'none',
      message: expect.stringMatching(
        new RegExp(
          `^127.0.0.1:${portOf(standby)}: the server is a standby and takes no writes; 127.0.0.1:1: .*ECONNREFUSED`,
        ),
      ),
    })
  })

  it('are listened to and notified at the server that accepts writes', async () => {
    const db = openDb({ url: across([standby, primary]) })
    const heard: string[] = []
    await db.listen(
      'a',
      (payload) => heard.push(payload),
      () => {},
    )
    await db.notify('a', ['written'])
    await vi.waitFor(() => expect(heard).toEqual(['written']))
  })

  it('are disconnected when they stop accepting writes, and used again when they accept them [OPS-22]', async () => {
    const db = openDb({ url: across([primary]), poolSize: 4 })
    await db.query(WRITE, ['before'])
    const setReadOnly = async (state: 'on' | 'off') => {
      const admin = openDb({ url: across([primary], '?target_session_attrs=any') })
      await admin.exec(`alter system set default_transaction_read_only = ${state}`)
      await admin.query(statement('reload', 'write', 'select pg_reload_conf()'), [])
      await vi.waitFor(async () =>
        expect(
          await admin.query(
            statement('shown', 'read', `select current_setting('default_transaction_read_only') as state`),
            [],
          ),
        ).toEqual([{ state }]),
      )
    }
    await setReadOnly('on')
    // Each session notices the change at a different time.
    await vi.waitFor(() => expect(db.query(WRITE, ['refused'])).rejects.toBeInstanceOf(DatabaseUnavailable))
    await expect(db.transaction((tx) => tx.query(WRITE, ['lost']))).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      outcome: 'none',
      message: expect.stringContaining('default_transaction_read_only'),
    })
    await setReadOnly('off')
    await db.query(WRITE, ['after'])
    expect(await db.query(READ, [])).not.toContainEqual({ text: 'lost' })
  })

  it('replace each other when the server in use dies and the other one is promoted [OPS-22]', async () => {
    const db = openDb({ url: across([primary, standby]) })
    await db.query(WRITE, ['on the first'])
    await primary.kill()
    await expect(db.query(WRITE, ['nowhere'])).rejects.toBeInstanceOf(DatabaseUnavailable)
    const promoting = openDb({ url: across([standby], '?target_session_attrs=any') })
    await promoting.query(statement('promote', 'write', 'select pg_promote()'), [])
    await db.query(WRITE, ['on the second'])
    expect(await port(db)).toBe(portOf(standby))
    // The first server is back, but the working one is kept.
    await primary.start()
    expect(await port(db)).toBe(portOf(standby))
  })
})

describe('a connection', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  it('is replaced when it is old, without a statement noticing', async () => {
    const db = openDb({ url: server.url, poolSize: 1, maxAgeMs: 50 })
    const first = await pid(db)
    await vi.waitFor(async () => expect(await pid(db)).not.toBe(first))
  })

  it('is closed on the server, too, when it is old', async () => {
    const db = openDb({ url: `${server.url}?application_name=ageing`, poolSize: 1, maxAgeMs: 20 })
    const others = statement(
      'others',
      'read',
      `select count(*) as n from pg_stat_activity where application_name = 'ageing'`,
    )
    await Promise.all(Array.from({ length: 50 }, () => pid(db)))
    const watcher = openDb({ url: server.url })
    await vi.waitFor(async () => expect(await watcher.query(others, [])).toEqual([{ n: 0 }]))
  })

  it('that listens is also replaced, and its listeners learn that they may have missed notifications', async () => {
    const db = openDb({ url: server.url, maxAgeMs: 50 })
    let lost = 0
    await db.listen(
      'a',
      () => {},
      () => {
        lost += 1
      },
    )
    await vi.waitFor(() => expect(lost).toBeGreaterThan(1))
  })
})
