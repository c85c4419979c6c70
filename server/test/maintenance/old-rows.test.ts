import { expect, test } from 'vitest'
import { createSweeps } from '../../src/gateway/retention.ts'
import type { Param, Statement } from '../../src/store/db.ts'
import { beforeStatement } from '../support/databases/before-statement.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { newConversation } from '../support/gateway-fixture.ts'

const DAY_MS = 24 * 60 * 60_000
/** More rows than one step removes, in far more blocks than a search may read. */
const ROWS = 12_000
const MAX_BLOCKS = 40
const LONG = { deadlineMs: 60_000 }

const EVENTS: Statement = {
  name: 'test_add_events',
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
  name: 'test_add_idempotency_records',
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

interface Query {
  readonly statement: Statement
  readonly params: readonly Param[]
}

onPostgres('a sweep that removes old rows', (database) => {
  const setUp = async () => {
    const { clock, service, tenant, conversationId } = await newConversation(database.db)
    const queries: Query[] = []
    const db = beforeStatement(database.db, (statement, _, params) => void queries.push({ statement, params }))
    const all = createSweeps({ db, clock })
    const sweeps = all.filter(({ name }) => name === 'events' || name === 'idempotency records')
    const sweepAll = async () => {
      for (const sweep of sweeps) while (!(await sweep.run(new AbortController().signal)));
    }
    const fill = async () => {
      await database.db.query(EVENTS, [service.appId, conversationId, clock.now()])
      await database.db.query(KEYS, [service.appId, tenant.subject, clock.now()])
    }
    /** Does what autovacuum does; new rows then reuse the space of removed ones. */
    const vacuum = async () => {
      for (const table of ['events', 'idempotency', 'conversations'])
        await database.db.query({ name: '', access: 'write', text: `vacuum (analyze) ${table}` }, [])
    }
    return { clock, queries, sweepAll, fill, vacuum }
  }

  /** How many blocks of data a statement reads. */
  const blocksOf = async ({ statement, params }: Query): Promise<number> => {
    const text = `explain (analyze, buffers, format json) ${statement.text}`
    const [row] = await database.db.query<{
      'QUERY PLAN': readonly { readonly Plan: Readonly<Record<string, number>> }[]
    }>({ name: '', access: 'write', text }, params)
    const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = row?.['QUERY PLAN'][0]?.Plan ?? {}
    return (hit ?? Number.NaN) + (read ?? Number.NaN)
  }

  test('does not read rows that are not due, even after new rows reuse the space of removed ones', async () => {
    const { clock, queries, sweepAll, fill, vacuum } = await setUp()
    await fill()
    clock.pass(8 * DAY_MS)
    await sweepAll()
    expect(await database.db.query(COUNT, [])).toEqual([{ events: 0, keys: 0 }])
    await vacuum()
    await fill()
    await vacuum()
    queries.length = 0
    await sweepAll()
    expect(await database.db.query(COUNT, [])).toEqual([{ events: ROWS, keys: ROWS }])
    const searches = queries.filter(({ statement }) => /^prune_old|^remove_/.test(statement.name))
    expect(searches.map(({ statement }) => statement.name)).toEqual(['prune_old_events', 'remove_idempotency_records'])
    for (const search of searches) expect(await blocksOf(search), search.statement.name).toBeLessThan(MAX_BLOCKS)
  })

  test('does not read rows that its earlier steps removed and that another transaction can still see', async () => {
    const { clock, queries, sweepAll, fill } = await setUp()
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
      queries.length = 0
      await sweepAll()
      const steps = queries.filter(({ statement }) => statement.name === 'remove_idempotency_records')
      expect(steps.length).toBeGreaterThan(ROWS / 500)
      const last = steps.at(-1)
      if (last !== undefined) expect(await blocksOf(last)).toBeLessThan(MAX_BLOCKS)
    }, LONG)
  })
})
