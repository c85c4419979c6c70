import { expect, test } from 'vitest'
import { createSweeps } from '../../src/gateway/retention.ts'
import type { Db, Param, Statement } from '../../src/store/db.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { createTestClock, newConversationId, newService, testContext } from '../support/gateway-fixture.ts'

const DAY_MS = 24 * 60 * 60_000
/** More than one turn removes, in far more blocks than a look may read. */
const ROWS = 12_000
const BLOCKS_OF_A_LOOK = 40
const PATIENT = { deadlineMs: 60_000 }

const EVENTS: Statement = {
  name: 'test_events_of_a_day',
  access: 'write',
  text: `
with log as (
  update conversations set last_seq = last_seq + ${ROWS} where app_id = $1 and conversation_id = $2 returning last_seq
)
insert into events (app_id, conversation_id, seq, event_id, generation, type, payload, created_at)
select $1, $2, last_seq - n, 'evt_' || last_seq - n, 1, 'conversation.reset', '{}', $3::timestamptz - make_interval(secs => n)
from log, generate_series(0, ${ROWS} - 1) as n`,
}
const KEYS: Statement = {
  name: 'test_keys_of_a_day',
  access: 'write',
  text: `
insert into idempotency (app_id, subject, key, fingerprint, status, response, created_at)
select $1, $2, gen_random_uuid(), '', 202, 'null', $3::timestamptz - make_interval(secs => n)
from generate_series(0, ${ROWS} - 1) as n`,
}
const COUNT: Statement = {
  name: 'test_count_swept',
  access: 'read',
  text: 'select (select count(*) from events) as events, (select count(*) from idempotency) as keys',
}

interface Asked {
  readonly statement: Statement
  readonly params: readonly Param[]
}

/** Notes what is asked of it inside of transactions, as sweeps ask it. */
const noting = (db: Db, asked: Asked[]): Db => ({
  ...db,
  transaction: (work, options) =>
    db.transaction(
      (tx) =>
        work({
          ...tx,
          query: (statement, params) => {
            asked.push({ statement, params })
            return tx.query(statement, params)
          },
        }),
      options,
    ),
})

onPostgres('what is removed by its age', (database) => {
  const setUp = async () => {
    const clock = createTestClock()
    const service = await newService(database.db, clock.now())
    const tenant = { appId: service.appId, subject: 'subject' }
    const conversationId = await newConversationId(testContext(database.db, clock), tenant, service.endpointId)
    const asked: Asked[] = []
    const all = createSweeps({ db: noting(database.db, asked), clock })
    const sweeps = all.filter(({ name }) => name === 'events' || name === 'idempotency records')
    const sweepAll = async () => {
      for (const sweep of sweeps) while (!(await sweep.run(new AbortController().signal)));
    }
    const fill = async () => {
      await database.db.query(EVENTS, [service.appId, conversationId, clock.now()])
      await database.db.query(KEYS, [service.appId, tenant.subject, clock.now()])
    }
    /** As the server does by itself before long; new rows then take the place of removed ones. */
    const vacuum = async () => {
      for (const table of ['events', 'idempotency', 'conversations'])
        await database.db.query({ name: '', access: 'write', text: `vacuum (analyze) ${table}` }, [])
    }
    return { clock, asked, sweepAll, fill, vacuum }
  }

  /** How many blocks of data a statement looks at. */
  const blocksOf = async ({ statement, params }: Asked): Promise<number> => {
    const text = `explain (analyze, buffers, format json) ${statement.text}`
    const [row] = await database.db.query<{
      'QUERY PLAN': readonly { readonly Plan: Readonly<Record<string, number>> }[]
    }>({ name: '', access: 'write', text }, params)
    const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = row?.['QUERY PLAN'][0]?.Plan ?? {}
    return (hit ?? Number.NaN) + (read ?? Number.NaN)
  }

  test('is looked for without reading what is not due, also once new rows have taken the place of removed ones', async () => {
    const { clock, asked, sweepAll, fill, vacuum } = await setUp()
    await fill()
    clock.pass(8 * DAY_MS)
    await sweepAll()
    expect(await database.db.query(COUNT, [])).toEqual([{ events: 0, keys: 0 }])
    await vacuum()
    await fill()
    await vacuum()
    asked.length = 0
    await sweepAll()
    expect(await database.db.query(COUNT, [])).toEqual([{ events: ROWS, keys: ROWS }])
    const looks = asked.filter(({ statement }) => /^prune_old|^remove_/.test(statement.name))
    expect(looks.map(({ statement }) => statement.name)).toEqual(['prune_old_events', 'remove_idempotency_records'])
    for (const look of looks) expect(await blocksOf(look), look.statement.name).toBeLessThan(BLOCKS_OF_A_LOOK)
  })

  test('is not looked for where earlier steps of a round have removed it, as long as somebody may still see it', async () => {
    const { clock, asked, sweepAll, fill } = await setUp()
    await sweepAll()
    await fill()
    clock.pass(8 * DAY_MS)
    const reader = database.openAnother()
    await reader.transaction(async (tx) => {
      await tx.query(
        { name: 'test_keep_snapshot', access: 'write', text: 'set transaction isolation level repeatable read' },
        [],
      )
      await tx.query(COUNT, [])
      asked.length = 0
      await sweepAll()
      const steps = asked.filter(({ statement }) => statement.name === 'remove_idempotency_records')
      expect(steps.length).toBeGreaterThan(ROWS / 500)
      const last = steps.at(-1)
      if (last !== undefined) expect(await blocksOf(last)).toBeLessThan(BLOCKS_OF_A_LOOK)
    }, PATIENT)
  })
})
