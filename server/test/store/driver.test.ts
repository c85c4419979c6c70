import { beforeAll, describe, expect, it } from 'vitest'
import { type Access, DatabaseUnavailable, type Statement, UniqueViolation } from '../../src/store/db.ts'
import { eachDatabase } from '../support/databases/databases.ts'

let statements = 0
const sql = (access: Access, text: string): Statement => {
  statements += 1
  return { name: `driver_test_${statements}`, access, text }
}

eachDatabase('a database', (database) => {
  const insert = sql('write', 'insert into things (id, label) values ($1, $2) returning id')
  const count = sql('read', 'select count(*) as n from things where label = $1')
  const countOf = async (label: string): Promise<unknown> => (await database.db.query(count, [label]))[0]

  beforeAll(() =>
    database.db.exec('create table things (id integer constraint things_pkey primary key, label text); select 1'),
  )

  describe('values', () => {
    it('are returned as numbers, dates, parsed json, buffers, booleans and nulls', async () => {
      const date = new Date('2026-02-03T04:05:06.789Z')
      const [row] = await database.db.query(
        sql(
          'read',
          `select $1::bigint as big, $2::integer as small, $3::timestamptz as at, $4::json as json, $5::jsonb as jsonb,
          $6::bytea as bytes, $7::boolean as yes, $8::text as nothing, $9::text as text, $10::float8 as float,
          (select count(*) from generate_series(1, 3)) as n, (select sum(x) from generate_series(1, 3) x) as total,
          (select sum(x) from (values (1::bigint), (2)) v(x)) as big_total`,
        ),
        [
          2 ** 52,
          -7,
          date,
          '{"a":[1,"ü"]}',
          '{"b":null}',
          new Uint8Array([0, 1, 0xff, 0x5c]).subarray(1),
          false,
          null,
          'ünïcode 🙂 \\ " \'',
          1.5,
        ],
      )
      expect(row).toEqual({
        big: 2 ** 52,
        small: -7,
        at: date,
        json: { a: [1, 'ü'] },
        jsonb: { b: null },
        bytes: Buffer.from([1, 0xff, 0x5c]),
        yes: false,
        nothing: null,
        text: 'ünïcode 🙂 \\ " \'',
        float: 1.5,
        n: 3,
        total: 6,
        big_total: 3,
      })
    })

    it('can be passed as lists in one json parameter', async () => {
      const rows = await database.db.query(
        sql('read', 'select id, label from json_to_recordset($1::json) as t(id integer, label text) order by id desc'),
        [
          JSON.stringify([
            { id: 1, label: 'a' },
            { id: 2, label: null },
          ]),
        ],
      )
      expect(rows).toEqual([
        { id: 2, label: null },
        { id: 1, label: 'a' },
      ])
    })

    it('keep the bytes of json as they were written', async () => {
      const written = '{"z":1,  "a":[ 1.0 ]}'
      const [row] = await database.db.query(sql('read', 'select ($1::json)::text as written'), [written])
      expect(row).toEqual({ written })
    })

    it('are returned whole when they are larger than any buffer', async () => {
      const text = 'x'.repeat(3_000_000)
      const [row] = await database.db.query<{ text: string }>(sql('read', 'select $1::text as text'), [text])
      expect(row?.text.length).toBe(text.length)
    })
  })

  describe('errors', () => {
    it('name the unique constraint that refused a write', async () => {
      await database.db.query(insert, [1, 'unique'])
      const refused = database.db.query(insert, [1, 'unique'])
      await expect(refused).rejects.toBeInstanceOf(UniqueViolation)
      await expect(refused).rejects.toMatchObject({ constraint: 'things_pkey' })
    })

    it('of other kinds are passed on with their SQLSTATE', async () => {
      await expect(database.db.query(sql('read', 'select 1 / $1::integer'), [0])).rejects.toMatchObject({
        code: '22012',
      })
      await expect(database.db.query(sql('read', 'select nonsense from nowhere'), [])).rejects.toMatchObject({
        code: '42P01',
      })
    })

    it('leave the connection usable, also for concurrent statements', async () => {
      const wrong = sql('read', 'select $1::integer / 0')
      const right = sql('read', 'select $1::integer as n')
      const outcomes = await Promise.allSettled(
        Array.from({ length: 40 }, (_, n) => database.db.query(n % 3 === 0 ? wrong : right, [n])),
      )
      expect(outcomes.map(({ status }) => status)).toEqual(
        outcomes.map((_, n) => (n % 3 === 0 ? 'rejected' : 'fulfilled')),
      )
      expect(outcomes[1]).toMatchObject({ value: [{ n: 1 }] })
      expect(outcomes[38]).toMatchObject({ value: [{ n: 38 }] })
    })

    it('of a statement that cannot be prepared do not affect later statements of its name', async () => {
      const statement = sql('read', 'select id from made_later where id = $1')
      await expect(database.db.query(statement, [1])).rejects.toMatchObject({ code: '42P01' })
      await database.db.exec('create table made_later (id integer)')
      expect(await database.db.query(statement, [1])).toEqual([])
    })
  })

  describe('a transaction', () => {
    it('is committed when its work returns', async () => {
      const result = await database.db.transaction(async (tx) => {
        await tx.query(insert, [10, 'kept'])
        await tx.query(insert, [11, 'kept'])
        return 'done'
      })
      expect(result).toBe('done')
      expect(await countOf('kept')).toEqual({ n: 2 })
    })

    it('is rolled back when its work throws, and passes the error on unchanged', async () => {
      const reason = new Error('changed my mind')
      const work = database.db.transaction(async (tx) => {
        await tx.query(insert, [20, 'dropped'])
        throw reason
      })
      await expect(work).rejects.toBe(reason)
      expect(await countOf('dropped')).toEqual({ n: 0 })
    })

    it('is rolled back with an error when the work ignores a failed statement', async () => {
      const work = database.db.transaction(async (tx) => {
        await tx.query(insert, [30, 'swallowed'])
        await tx.query(insert, [30, 'swallowed']).catch(() => {})
      })
      await expect(work).rejects.toThrow('rolled back')
      expect(await countOf('swallowed')).toEqual({ n: 0 })
    })

    it('rejects with the first of several errors of statements that ran at once', async () => {
      const work = database.db.transaction((tx) =>
        Promise.all([
          tx.query(insert, [40, 'at once']),
          tx.query(insert, [40, 'at once']),
          tx.query(insert, [41, 'x']),
        ]),
      )
      await expect(work).rejects.toBeInstanceOf(UniqueViolation)
      expect(await countOf('at once')).toEqual({ n: 0 })
    })

    it('hides its writes from others until it ends', async () => {
      const wrote = Promise.withResolvers<void>()
      const proceed = Promise.withResolvers<void>()
      const writing = database.db.transaction(async (tx) => {
        await tx.query(insert, [50, 'isolated'])
        wrote.resolve()
        await proceed.promise
        return tx.query(count, ['isolated'])
      })
      await wrote.promise
      const outside = countOf('isolated')
      // On the embedded database the outer statement waits for the transaction; on PostgreSQL it does not see its
      // writes.
      const seen = database.db.kind === 'embedded' ? { n: 1 } : { n: 0 }
      if (database.db.kind === 'postgres') expect(await outside).toEqual(seen)
      proceed.resolve()
      expect(await writing).toEqual([{ n: 1 }])
      expect(await outside).toEqual(seen)
      expect(await countOf('isolated')).toEqual({ n: 1 })
    })

    it('is not mixed with statements and transactions that run at the same time', async () => {
      const append = sql('write', 'insert into log_of_pairs (pair) values ($1)')
      await database.db.exec('create table log_of_pairs (pair integer)')
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, (_, n) =>
          n % 2 === 0
            ? database.db.query(append, [n])
            : database.db.transaction(async (tx) => {
                await tx.query(append, [n])
                await tx.query(append, [n])
                if (n % 3 === 0) throw new Error('undone')
              }),
        ),
      )
      const rows = await database.db.query<{ pair: number; n: number }>(
        sql('read', 'select pair, count(*) as n from log_of_pairs group by pair order by pair'),
        [],
      )
      const expected = Array.from({ length: 60 }, (_, pair) => ({ pair, n: pair % 2 === 0 ? 1 : 2 }))
      expect(rows).toEqual(expected.filter(({ pair }) => pair % 2 === 0 || pair % 3 !== 0))
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10)
    })

    it('cannot be used after its end', async () => {
      const left = await database.db.transaction(async (tx) => tx)
      await expect(left.query(insert, [60, 'late'])).rejects.toThrow('the transaction has ended')
    })

    it('refuses a statement of the Db inside it, which would wait forever on a single connection', async () => {
      const work = database.db.transaction(() => database.db.query(count, ['x']))
      await expect(work).rejects.toThrow('use the Tx')
      const nested = database.db.transaction(() => database.db.transaction(async () => {}))
      await expect(nested).rejects.toThrow('use the Tx')
    })
  })

  describe('several statements in one text', () => {
    it('have no effect if one of them fails', async () => {
      const text = `insert into things values (70, 'text'); insert into things values (70, 'text')`
      await expect(database.db.exec(text)).rejects.toBeInstanceOf(UniqueViolation)
      expect(await countOf('text')).toEqual({ n: 0 })
    })

    it('leave no transaction open when they fail after a begin', async () => {
      await expect(database.db.exec(`begin; insert into things values (71, 'text'); select 1 / 0`)).rejects.toThrow()
      expect(await database.db.query(insert, [72, 'after'])).toEqual([{ id: 72 }])
    })
  })

  it('delivers each notification of a channel once and in order, and no notification of other channels', async () => {
    const received: string[] = []
    const last = Promise.withResolvers<void>()
    const listener = await database.db.listen(
      'some-channel',
      (payload) => {
        received.push(payload)
        if (payload === 'end') last.resolve()
      },
      () => {},
    )
    await database.db.notify('another-channel', ['not for us'])
    await database.db.notify('some-channel', [])
    await database.db.notify('some-channel', ['a', 'ü "quoted"'])
    await database.db.notify('some-channel', ['end'])
    await last.promise
    expect(received).toEqual(['a', 'ü "quoted"', 'end'])
    await listener.close()
    await database.db.notify('some-channel', ['after close'])
    expect(received).toHaveLength(3)
  })
})

eachDatabase('a database that is closed', (database) => {
  it('completes started work and refuses later work', async () => {
    const slow = sql('read', 'select count(*) as n from generate_series(1, 300000)')
    const begun = Promise.all([
      database.db.query(slow, []),
      database.db.transaction(async (tx) => {
        await tx.query(slow, [])
        return tx.query(slow, [])
      }),
    ])
    const closed = database.db.close()
    expect(await begun).toEqual([[{ n: 300000 }], [{ n: 300000 }]])
    await closed
    await expect(database.db.query(slow, [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(database.db.transaction(async () => {})).rejects.toBeInstanceOf(DatabaseUnavailable)
    await database.db.close()
  })
})
