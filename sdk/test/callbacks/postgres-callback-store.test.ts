import { createHash } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  CALLBACK_INBOX_TABLE,
  type CallbackDelivery,
  type CallbackEvent,
  type PostgresPool,
  type PostgresTransaction,
  postgresCallbackStore,
} from '../../src/callbacks/index.ts'

let db: PGlite

beforeAll(async () => {
  db = await PGlite.create()
  await db.exec('create table effects (event_id text not null)')
})
beforeEach(async () => {
  await db.query(CALLBACK_INBOX_TABLE)
  await db.exec('truncate callback_inbox; truncate effects')
})
afterAll(() => db.close())

const delivery = (id: string, summary = 'a'): CallbackDelivery => {
  const event: CallbackEvent = {
    conversation_id: 'conv_1',
    generation: 1,
    event_id: id,
    seq: 1,
    run_id: 'run_1',
    message_id: 'msg_1',
    type: 'approval.required',
    payload: { approval_id: 'appr_1', summary },
  }
  const body = new TextEncoder().encode(JSON.stringify(event))
  return { event, body, bodySha256: createHash('sha256').update(body).digest('hex') }
}

const nothing = async (): Promise<void> => {}
const write = async (tx: PostgresTransaction): Promise<void> => {
  await tx.query('insert into effects values ($1)', ['evt_1'])
}
const effects = async (): Promise<number> => (await db.query('select 1 from effects')).rows.length
const inbox = async (): Promise<unknown[]> =>
  (await db.query('select event_id, event, deliveries from callback_inbox order by event_id')).rows

it('distinguishes new, duplicate and conflicting deliveries', async () => {
  const store = postgresCallbackStore(db)
  expect(await store.record(delivery('evt_1'), write)).toBe('new')
  expect(await store.record(delivery('evt_1'), write)).toBe('duplicate')
  expect(await store.record(delivery('evt_1', 'b'), write)).toBe('conflicting')
  expect(await store.record(delivery('evt_2'), nothing)).toBe('new')
  expect(await effects()).toBe(1)
})

it('keeps the first content of each event, and counts its arrivals', async () => {
  const store = postgresCallbackStore(db)
  for (const note of ['a', 'a', 'b']) await store.record(delivery('evt_1', note), nothing)
  expect(await inbox()).toEqual([{ event_id: 'evt_1', event: delivery('evt_1', 'a').event, deliveries: 3 }])
})

it('stores events that jsonb cannot store: with an escaped null character or a lone surrogate', async () => {
  const odd = delivery('evt_1', 'a\0b\ud83d')
  expect(await postgresCallbackStore(db).record(odd, nothing)).toBe('new')
  expect(await inbox()).toMatchObject([{ event: odd.event }])
})

it('records nothing when the handler fails, and treats the next delivery as new', async () => {
  const store = postgresCallbackStore(db)
  const fail = async (tx: PostgresTransaction): Promise<void> => {
    await write(tx)
    throw new Error('not now')
  }
  await expect(store.record(delivery('evt_1'), fail)).rejects.toThrow('not now')
  expect([await inbox(), await effects()]).toEqual([[], 0])
  expect(await store.record(delivery('evt_1'), write)).toBe('new')
  expect(await effects()).toBe(1)
})

it('does not report an event as recorded if the handler suppressed a failed statement', async () => {
  const store = postgresCallbackStore(db)
  const hide = async (tx: PostgresTransaction): Promise<void> => {
    await tx.query('select 1 / 0').catch(() => {})
  }
  await expect(store.record(delivery('evt_1'), hide)).rejects.toThrow(/aborted/)
  expect(await inbox()).toEqual([])
})

it('records only one of several concurrent deliveries of an event as new, and the others as duplicates', async () => {
  const store = postgresCallbackStore(db)
  const verdicts = await Promise.all([1, 2, 3, 4].map(() => store.record(delivery('evt_1'), write)))
  expect(verdicts.toSorted()).toEqual(['duplicate', 'duplicate', 'duplicate', 'new'])
  expect(await effects()).toBe(1)
})

/** The shape of pg's pool over the embedded database, which has one connection. */
const poolOf = (query: PostgresTransaction['query']) => {
  const released: (Error | boolean | undefined)[] = []
  const pool: PostgresPool = {
    connect: async () => ({ query, release: (error) => released.push(error) }),
  }
  return { pool, released }
}

it('uses one connection of a pool, and releases it', async () => {
  const { pool, released } = poolOf((text, params) => db.query(text, params))
  const store = postgresCallbackStore(pool)
  expect(await store.record(delivery('evt_1'), write)).toBe('new')
  await expect(store.record(delivery('evt_2'), () => Promise.reject(new Error('not now')))).rejects.toThrow('not now')
  expect(await inbox()).toMatchObject([{ event_id: 'evt_1' }])
  expect(released).toEqual([undefined, undefined])
})

it('destroys a broken connection, and reports the first error', async () => {
  const lost = new Error('connection lost')
  const { pool, released } = poolOf((text) =>
    text === 'begin' ? Promise.resolve({ rows: [] }) : Promise.reject(text === 'rollback' ? new Error('gone') : lost),
  )
  await expect(postgresCallbackStore(pool).record(delivery('evt_1'), nothing)).rejects.toBe(lost)
  expect(released).toEqual([new Error('gone')])
})

it('creates and uses a table of another name, with a schema', async () => {
  await db.exec('create schema if not exists app')
  const store = postgresCallbackStore(db, { table: 'app.gateway_callbacks' })
  await store.migrate()
  await store.migrate()
  expect(await store.record(delivery('evt_1'), nothing)).toBe('new')
  expect((await db.query('select event_id from app.gateway_callbacks')).rows).toEqual([{ event_id: 'evt_1' }])
  expect(await inbox()).toEqual([])
})

it('refuses a table name that contains SQL other than a name', () => {
  expect(() => postgresCallbackStore(db, { table: 'a; drop table b' })).toThrow('table must be a name in lower case')
})

it('deletes only events that were received before a given time', async () => {
  const store = postgresCallbackStore(db)
  for (const id of ['evt_1', 'evt_2']) await store.record(delivery(id), nothing)
  await db.query("update callback_inbox set received_at = now() - interval '8 days' where event_id = 'evt_1'")
  await store.prune(new Date(Date.now() - 7 * 24 * 3_600_000))
  expect(await inbox()).toMatchObject([{ event_id: 'evt_2' }])
})
