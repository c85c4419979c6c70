import { beforeAll, expect, it, vi } from 'vitest'
import { type Access, DatabaseUnavailable, type Db, type Statement, type Tx } from '../../src/store/db.ts'
import { createPgDb, type PgDbOptions } from '../../src/store/drivers/pg.ts'
import { onPostgres } from '../support/databases/databases.ts'

const statement = (name: string, access: Access, text: string): Statement => ({ name, access, text })
const CHANGE = statement('change', 'write', 'update rows_of set n = n + 1 where tenant = $1')
const LOCK = statement('lock', 'write', 'select n from rows_of where tenant = $1 for update')
const READ = statement('read', 'read', 'select n from rows_of where tenant = $1')
const SLEEP = statement('sleep', 'read', 'select pg_sleep($1)')
const WAITING = statement(
  'waiting',
  'read',
  `select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
)

/** More than the number of connections: blocked statements must not occupy all of them. */
const MANY = 64

onPostgres('a statement while others wait for a lock', (database) => {
  const withDb = async (options: Partial<PgDbOptions>, use: (db: Db) => Promise<void>): Promise<void> => {
    const db = createPgDb({ url: database.url, ...options })
    await use(db)
    await db.close()
  }
  /** Locks the row of tenant `a` while `work` runs. */
  const whileLocked = async (work: () => Promise<void>): Promise<void> => {
    await database.openAnother().transaction(
      async (tx: Tx) => {
        await tx.query(LOCK, ['a'])
        await work()
      },
      { deadlineMs: 100_000 },
    )
  }
  const untilWaiting = (n: number) =>
    vi.waitFor(async () => {
      const [row] = await database.db.query<{ n: number }>(WAITING, [])
      expect(row?.n).toBeGreaterThanOrEqual(n)
    })
  const currentOf = async (tenant: string) => (await database.db.query<{ n: number }>(READ, [tenant]))[0]?.n

  beforeAll(() =>
    database.db.exec(`create table rows_of (tenant text primary key, n integer);
      insert into rows_of values ('a', 0), ('b', 0), ('c', 0)`),
  )

  it.each(['statements', 'transactions'])('reads and writes while many %s wait for one row [OPS-21]', async (kind) => {
    await withDb({ deadlineMs: 60_000 }, async (db) => {
      const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(currentOf))
      let waiters: Promise<unknown>[] = []
      await whileLocked(async () => {
        waiters = Array.from({ length: MANY }, () =>
          kind === 'statements' ? db.query(CHANGE, ['a']) : db.transaction((tx) => tx.query(CHANGE, ['a'])),
        )
        await untilWaiting(3)
        for (let n = 0; n < 20; n += 1) {
          expect(await db.query(READ, ['a'])).toEqual([{ n: a }])
          await db.query(CHANGE, ['b'])
          await db.transaction((tx) => tx.query(CHANGE, ['c']))
        }
      })
      await Promise.all(waiters)
      expect(await Promise.all(['a', 'b', 'c'].map(currentOf))).toEqual([(a ?? 0) + MANY, (b ?? 0) + 20, (c ?? 0) + 20])
    })
  })

  it('can wait for one lock while other statements wait for another lock [OPS-21]', async () => {
    await withDb({ deadlineMs: 60_000 }, async (db) => {
      let waiters: Promise<unknown>[] = []
      await whileLocked(async () => {
        waiters = Array.from({ length: MANY }, () => db.query(CHANGE, ['a']))
        await untilWaiting(3)
        const release = Promise.withResolvers<void>()
        const holder = database.openAnother().transaction(async (tx) => {
          await tx.query(CHANGE, ['b'])
          await release.promise
        })
        const waiter = db.query(CHANGE, ['b'])
        await untilWaiting(4)
        release.resolve()
        await Promise.all([holder, waiter])
      })
      await Promise.all(waiters)
    })
  })

  it('reports at the deadline that it had no effect, if its lock is not granted', async () => {
    const before = await currentOf('a')
    await withDb({ deadlineMs: 3000 }, async (db) => {
      await whileLocked(async () => {
        const outcomes = await Promise.allSettled([
          ...Array.from({ length: MANY }, () => db.query(CHANGE, ['a'])),
          db.transaction((tx) => tx.query(CHANGE, ['a'])),
        ])
        for (const outcome of outcomes)
          expect(outcome).toMatchObject({
            status: 'rejected',
            reason: { name: 'DatabaseUnavailable', outcome: 'none' },
          })
        expect(await db.query(READ, ['b'])).toHaveLength(1)
      })
    })
    expect(await currentOf('a')).toBe(before)
  })

  it('is not queued behind slow statements', async () => {
    await withDb({ deadlineMs: 60_000, poolSize: 4 }, async (db) => {
      const slow = Array.from({ length: 3 }, () => db.query(SLEEP, [2]))
      let ended = 0
      for (const each of slow) void each.then(() => (ended += 1))
      await vi.waitFor(async () =>
        expect(
          (
            await database.db.query<{ n: number }>(
              statement(
                'sleeping',
                'read',
                `select count(*) as n from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
              ),
              [],
            )
          )[0]?.n,
        ).toBe(3),
      )
      for (let n = 0; n < 50; n += 1) await db.query(READ, ['b'])
      await db.query(CHANGE, ['b'])
      expect(ended).toBe(0)
      await Promise.all(slow)
    })
  })

  it('is refused when too many statements wait for a connection, and accepted again later', async () => {
    await withDb({ deadlineMs: 60_000, poolSize: 1 }, async (db) => {
      const begun = db.transaction(async (tx) => {
        await tx.query(SLEEP, [0.5])
      })
      const outcomes = await Promise.allSettled(Array.from({ length: 1200 }, () => db.query(READ, ['b'])))
      await begun
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(refused.length).toBeGreaterThanOrEqual(150)
      expect(refused.length).toBeLessThanOrEqual(201)
      for (const reason of refused) expect(reason).toBeInstanceOf(DatabaseUnavailable)
      expect(refused[0]).toMatchObject({
        outcome: 'none',
        message: expect.stringContaining('wait for a connection'),
      })
      expect(await db.query(READ, ['b'])).toHaveLength(1)
    })
  })
})

onPostgres('a transaction that had to wait for a lock', (database) => {
  it('is rolled back and started again', async () => {
    await database.db.exec(`create table rows_of (tenant text primary key, n integer);
        insert into rows_of values ('a', 0), ('b', 0)`)
    let attempts = 0
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = database.openAnother().transaction(async (tx) => {
      await tx.query(CHANGE, ['a'])
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const waiter = database.db.transaction(async (tx) => {
      attempts += 1
      await tx.query(CHANGE, ['b'])
      if (attempts === 2) release.resolve()
      await tx.query(CHANGE, ['a'])
      return 'done'
    })
    expect(await waiter).toBe('done')
    await holder
    expect(attempts).toBe(2)
    expect(await database.db.query(READ, ['b'])).toEqual([{ n: 1 }])
    expect(await database.db.query(READ, ['a'])).toEqual([{ n: 2 }])
  })
})
