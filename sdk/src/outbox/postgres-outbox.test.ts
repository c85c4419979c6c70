import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { all } from '../../test/support/all.ts'
import { createManualTiming } from '../../test/support/manual-timing.ts'
import { describeOutbox } from '../../test/support/outbox-suite.ts'
import { handleOf, ORIGIN } from '../../test/support/settings.ts'
import { postgresOutbox } from './postgres-outbox.ts'

let db: PGlite

beforeAll(async () => {
  db = await PGlite.create()
  await postgresOutbox(db).migrate()
})

afterAll(() => db.close())

const createStore = async () => {
  await db.query('delete from gateway_outbox')
  return () => postgresOutbox(db)
}

describeOutbox('PostgreSQL', createStore)

it('the table is created once and keeps its contents', async () => {
  const outbox = (await createStore())()
  await outbox.record(handleOf('a'), createManualTiming())
  await outbox.migrate()
  expect(await outbox.list()).toEqual([handleOf('a')])
})

it('the table option accepts only names', async () => {
  await db.query('create schema mine')
  const outbox = postgresOutbox(db, { table: 'mine.outbox' })
  await outbox.migrate()
  await outbox.record(handleOf('a'), createManualTiming())
  expect((await db.query('select 1 from mine.outbox')).rows).toHaveLength(1)
  expect(() => postgresOutbox(db, { table: 'outbox; drop table mine.outbox' })).toThrow(TypeError)
})

it('a damaged row is reported and set aside, and all other rows are recovered', async () => {
  const open = await createStore()
  const timing = createManualTiming()
  await open().record(handleOf('a'), timing)
  await db.query(`update gateway_outbox set handle = '{"version":2}'`)
  await open().record(handleOf('b'), timing)
  timing.advance(60_000)
  const later = createManualTiming()
  later.advance(3_600_000)
  expect(await all(open().leftovers(ORIGIN, later))).toMatchObject([
    { kind: 'damaged', fault: expect.stringContaining('version is wrong') },
    { kind: 'intention', handle: { idempotencyKey: 'b' } },
  ])
  expect((await db.query('select damaged from gateway_outbox order by id')).rows).toEqual([
    { damaged: true },
    { damaged: false },
  ])
})

it('a recorded intention replaces its damaged row', async () => {
  const outbox = (await createStore())()
  await outbox.record(handleOf('a'), createManualTiming())
  await db.query(`update gateway_outbox set handle = '{"version":2}', damaged = true`)
  await outbox.record(handleOf('a'), createManualTiming())
  expect(await outbox.list()).toEqual([handleOf('a')])
})
