import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Access, DatabaseUnavailable, type Db, type Statement } from '../../src/store/db.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { openDb } from '../support/databases/open-db.ts'
import { startPostgres, type TestPostgres } from '../support/databases/postgres.ts'

const statement = (name: string, access: Access, text: string): Statement => ({ name, access, text })
const one = statement('one', 'read', 'select 1 as one')
const sleep = statement('sleep', 'read', 'select pg_sleep($1)')
const change = statement('change', 'write', `select set_config('application_name', 'changed', false)`)

/** Waits for an answer of a Db whose timeouts are so short that a busy machine may exceed them. */
const untilAnswered = (db: Db): Promise<void> =>
  vi.waitFor(async () => expect(await db.query(one, [])).toEqual([{ one: 1 }]), { timeout: 30_000 })

onPostgres('the connections', (database) => {
  const sessions = statement(
    'sessions',
    'read',
    'select count(*) as n from pg_stat_activity where application_name = $1',
  )
  const countSessions = async (application: string): Promise<number | undefined> =>
    (await database.db.query<{ n: number }>(sessions, [application]))[0]?.n
  const openNamed = (application: string, poolSize: number): Db =>
    openDb({ url: `${database.url}?application_name=${application}`, poolSize })

  it('never exceed the configured number, however many statements and transactions run at once', async () => {
    const db = openNamed('many', 4)
    await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        n % 2 === 0 ? db.query(sleep, [0.01]) : db.transaction((tx) => tx.query(sleep, [0.01])),
      ),
    )
    expect(await countSessions('many')).toBe(4)
  })

  it('are reused by consecutive statements', async () => {
    const db = openNamed('one', 4)
    for (let n = 0; n < 20; n += 1) await db.query(one, [])
    expect(await countSessions('one')).toBe(1)
  })

  it('leave some for single statements while transactions are held open', async () => {
    const db = openDb({ url: database.url, poolSize: 4 })
    const end = Promise.withResolvers<void>()
    const begun: string[] = []
    const held = Array.from({ length: 5 }, (_, n) =>
      db.transaction(async (tx) => {
        await tx.query(one, [])
        begun.push(`transaction ${n}`)
        await end.promise
      }),
    )
    await vi.waitFor(() => expect(begun).toHaveLength(2))
    expect(await Promise.all(Array.from({ length: 20 }, () => db.query(one, [])))).toHaveLength(20)
    expect(await Promise.all(Array.from({ length: 20 }, () => db.query(change, [])))).toHaveLength(20)
    expect(begun).toHaveLength(2)
    end.resolve()
    await Promise.all(held)
    expect(begun).toHaveLength(5)
  })

  it('do not depend on the defaults of the database', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await database.db.exec(`alter database ${name} set datestyle to 'German, DMY'`)
    await database.db.exec(`alter database ${name} set default_transaction_isolation to serializable`)
    const db = openDb({ url: database.url })
    const at = new Date('2026-02-03T04:05:06.789Z')
    const isolation = statement(
      'isolation',
      'read',
      `select current_setting('transaction_isolation') as level, $1::timestamptz as at`,
    )
    expect(await db.query(isolation, [at])).toEqual([{ level: 'read committed', at }])
    expect(await db.transaction((tx) => tx.query(isolation, [at]))).toEqual([{ level: 'read committed', at }])
  })

  it('can be closed without having been opened', async () => {
    await openDb({ url: database.url }).close()
  })
})

onPostgres('a statement', (database) => {
  it('is abandoned at its deadline, and the next one works', async () => {
    const db = openDb({ url: database.url, deadlineMs: 200, poolSize: 1 })
    await expect(db.query(sleep, [60])).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(db.transaction((tx) => tx.query(sleep, [60]))).rejects.toBeInstanceOf(DatabaseUnavailable)
    await untilAnswered(db)
  })

  it('fails with DatabaseUnavailable if the server accepts no more sessions', async () => {
    await database.db.exec('create role one_session login connection limit 1')
    const url = new URL(database.url)
    url.username = 'one_session'
    const first = openDb({ url: url.href, poolSize: 1 })
    await first.query(one, [])
    await expect(openDb({ url: url.href }).query(one, [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    await first.close()
    await database.db.exec('drop role one_session')
  })

  it('reports that the database or the user does not exist', async () => {
    const unknown = new URL(database.url)
    unknown.pathname = '/nowhere'
    await expect(openDb({ url: unknown.href }).query(one, [])).rejects.toMatchObject({ cause: { code: '3D000' } })
    unknown.username = 'nobody'
    await expect(openDb({ url: unknown.href }).query(one, [])).rejects.toMatchObject({ cause: { code: '28000' } })
  })

  it('fails with DatabaseUnavailable if nothing listens at the address', async () => {
    const db = openDb({ url: 'postgres://someone@127.0.0.1:1/nowhere' })
    await expect(db.query(one, [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(db.transaction((tx) => tx.query(one, []))).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(db.exec('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(db.notify('channel', ['x'])).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(
      db.listen(
        'channel',
        () => {},
        () => {},
      ),
    ).rejects.toBeInstanceOf(DatabaseUnavailable)
  })
})

describe('a server that is restarted', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  it('rejects running statements with DatabaseUnavailable, and is used again after its restart', async () => {
    const db = openDb({ url: server.url })
    await db.query(one, [])
    const running = Promise.allSettled([
      ...Array.from({ length: 40 }, () => db.query(sleep, [60])),
      db.transaction((tx) => Promise.all([tx.query(sleep, [60]), tx.query(one, [])])),
    ])
    await server.shutDown()
    for (const outcome of await running) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })
    }
    await expect(db.query(one, [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    await server.start()
    expect(await db.query(one, [])).toEqual([{ one: 1 }])
    expect(await db.transaction((tx) => tx.query(one, []))).toEqual([{ one: 1 }])
  })

  it('is listened to again, and every listener learns that it may have missed notifications', async () => {
    const db = openDb({ url: server.url })
    const received: string[] = []
    const lost: string[] = []
    await db.listen(
      'a',
      (payload) => received.push(`a ${payload}`),
      () => lost.push('a'),
    )
    await db.listen(
      'b',
      (payload) => received.push(`b ${payload}`),
      () => lost.push('b'),
    )
    await db.notify('a', ['before'])
    await vi.waitFor(() => expect(received).toEqual(['a before']))
    await server.shutDown()
    expect(lost).toEqual([])
    await server.start()
    await vi.waitFor(() => expect(lost).toEqual(['a', 'b']), { timeout: 30_000 })
    await db.notify('a', ['after'])
    await db.notify('b', ['after'])
    await vi.waitFor(() => expect(received).toEqual(['a before', 'a after', 'b after']))
    expect(lost).toEqual(['a', 'b'])
  })

  it('gets no more connection attempts after close', async () => {
    const db = openDb({ url: server.url })
    await db.listen(
      'a',
      () => {},
      () => {},
    )
    await server.shutDown()
    await db.close()
    await server.start()
    const client = openDb({ url: server.url })
    const sessions = statement(
      'all_sessions',
      'read',
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    expect(await client.query(sessions, [])).toEqual([])
  })
})
