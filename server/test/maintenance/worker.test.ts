import { expect, test } from 'vitest'
import { requireConfig } from '../../src/app/settings/config.ts'
import { readRun } from '../../src/gateway/read-records.ts'
import { createSweeps } from '../../src/gateway/retention.ts'
import { ADVANCE_EVERY_MS, createMaintenanceWorker } from '../../src/maintenance/worker.ts'
import { DatabaseUnavailable, type Db, type Statement } from '../../src/store/db.ts'
import { readLogBounds } from '../../src/store/history/log-bounds.ts'
import { answerOf } from '../admin/support.ts'
import { eventually } from '../support/client.ts'
import { beforeStatement } from '../support/databases/before-statement.ts'
import { onPglite } from '../support/databases/databases.ts'
import { newConversation, newConversationId, sendText, takeWork } from '../support/gateway-fixture.ts'
import { createManualTimers } from '../support/manual-timers.ts'

const MINUTE_MS = 60_000
/** More records than one step removes. */
const MANY_EVENTS: Statement = {
  name: 'test_many_events',
  access: 'write',
  text: `
with log as (
  update conversations set last_seq = 10500 where app_id = $1 and conversation_id = $2
)
insert into events (app_id, conversation_id, seq, event_id, generation, type, payload, created_at)
select $1, $2, n, 'evt_' || n, 1, 'conversation.reset', '{}', $3 from generate_series(1, 10500) as n`,
}
const DAY_MS = 24 * 60 * MINUTE_MS

/** The Db whose calls fail while there is a fault. */
const failing = (db: Db, fault: () => Error | null): Db => {
  const attempt = <T>(call: () => Promise<T>): Promise<T> => {
    const error = fault()
    return error === null ? call() : Promise.reject(error)
  }
  return {
    ...db,
    query: (statement, params) => attempt(() => db.query(statement, params)),
    transaction: (work, options) => attempt(() => db.transaction(work, options)),
  }
}

onPglite('the maintenance worker', (database) => {
  const setUp = async () => {
    const { clock, context, service, tenant, conversationId } = await newConversation(database.db)
    const timers = createManualTimers()
    const errors: unknown[] = []
    const log = { error: (fields: unknown) => errors.push(fields) }
    const send = async () => answerOf(await sendText(context, tenant, conversationId)).run_id
    const stateOf = async (runId: string) => answerOf(await readRun(context, tenant, runId)).state
    return { clock, context, service, tenant, timers, errors, log, send, stateOf }
  }
  /** Resolves when all loops wait for their next round. */
  const untilIdle = (timers: ReturnType<typeof createManualTimers>) =>
    eventually(
      async () => timers.pending,
      (pending) => pending === 5,
    )

  test('expires due work at once and then periodically', async () => {
    const { context, clock, timers, log, send, stateOf, errors } = await setUp()
    const first = await send()
    clock.pass(5 * MINUTE_MS)
    const worker = createMaintenanceWorker({ context, timers, log })
    worker.start()
    await untilIdle(timers)
    expect(await stateOf(first)).toBe('expired')
    clock.pass(-5 * MINUTE_MS)
    const second = await send()
    clock.pass(5 * MINUTE_MS)
    timers.advance(1000)
    await untilIdle(timers)
    expect(await stateOf(second)).toBe('expired')
    await worker.stop()
    expect(errors).toEqual([])
  })

  test('leaves the work of dead processes alone while it cannot tell which processes are dead, and advances it later [DEV-17]', async () => {
    const { context, clock, service, timers, log, send, stateOf, errors } = await setUp()
    const held = await send()
    await takeWork(context, { deviceId: service.deviceId, workerId: 'gone', limit: 1 })
    const late = await send()
    clock.pass(5 * MINUTE_MS)
    let canJudge = false
    const worker = createMaintenanceWorker({ context, timers, log, canJudge: () => canJudge })
    worker.start()
    await untilIdle(timers)
    expect(await stateOf(held)).toBe('running')
    canJudge = true
    timers.advance(1000)
    await untilIdle(timers)
    expect([await stateOf(held), await stateOf(late)]).toEqual(['reconciling', 'expired'])
    await worker.stop()
    expect(errors).toEqual([])
  })

  test('finds the runs of a dead process within 5 seconds, by default [DEV-17]', () => {
    expect(requireConfig({}).config.leaseMs + ADVANCE_EVERY_MS).toBeLessThan(5000)
  })

  test('removes old records at a separate, longer interval', async () => {
    const { context, clock, timers, log, send } = await setUp()
    const worker = createMaintenanceWorker({ context, timers, log })
    worker.start()
    await untilIdle(timers)
    await send()
    clock.pass(8 * DAY_MS)
    const events: Statement = {
      name: 'test_count_events',
      access: 'read',
      text: 'select count(*) as events from events where created_at < $1',
    }
    const old = async () =>
      (await context.db.query<{ events: number }>(events, [new Date(clock.now().getTime() - 7 * DAY_MS)]))[0]?.events
    timers.advance(1000)
    await untilIdle(timers)
    expect(await old()).toBeGreaterThan(0)
    timers.advance(5 * MINUTE_MS)
    await eventually(old, (left) => left === 0)
    await worker.stop()
  })

  test('reports a fault and continues with the other sweeps of the round and the next rounds', async () => {
    const { context, clock, timers, log, errors, send, stateOf } = await setUp()
    const err = new Error('no database')
    let isBroken = true
    const db = failing(context.db, () => (isBroken ? err : null))
    const run = await send()
    clock.pass(5 * MINUTE_MS)
    const worker = createMaintenanceWorker({ context: { ...context, db }, timers, log })
    worker.start()
    await untilIdle(timers)
    const sweeps = createSweeps({ ...context, db }).map(({ name }) => name)
    const expected = ['due work', 'erasures', 'discarded content', ...sweeps].map((during) => ({ err, during }))
    expect(errors).toHaveLength(expected.length)
    expect(errors).toEqual(expect.arrayContaining(expected))
    expect(await stateOf(run)).toBe('queued')
    isBroken = false
    timers.advance(1000)
    await untilIdle(timers)
    expect(await stateOf(run)).toBe('expired')
    await worker.stop()
  })

  test('reports an outage of the database once a minute for each kind of work, and the next outage at once', async () => {
    const { context, clock, timers, log, errors } = await setUp()
    let isAway = true
    const db = failing(context.db, () => (isAway ? new DatabaseUnavailable('away') : null))
    const worker = createMaintenanceWorker({ context: { ...context, db }, timers, log })
    const reported = (during: string) => errors.filter((each) => Object(each).during === during).length
    const round = async () => {
      timers.advance(ADVANCE_EVERY_MS)
      await untilIdle(timers)
    }
    worker.start()
    await untilIdle(timers)
    for (let n = 0; n < 5; n++) await round()
    expect(reported('due work')).toBe(1)
    clock.pass(60_000)
    for (let n = 0; n < 5; n++) await round()
    expect(reported('due work')).toBe(2)
    isAway = false
    await round()
    isAway = true
    for (let n = 0; n < 5; n++) await round()
    expect(reported('due work')).toBe(3)
    await worker.stop()
  })

  test('removes due records of every kind in turn, however large one backlog is', async () => {
    const { context, clock, service, tenant, timers, log, errors } = await setUp()
    const conversationId = await newConversationId(context, tenant, service.endpointId)
    const before = new Date(clock.now().getTime() - 8 * DAY_MS)
    await context.db.query(MANY_EVENTS, [tenant.appId, conversationId, before])
    const statements: string[] = []
    const db = beforeStatement(context.db, ({ name }) => void statements.push(name))
    const worker = createMaintenanceWorker({ context: { ...context, db }, timers, log })
    worker.start()
    await untilIdle(timers)
    await worker.stop()
    expect(errors).toEqual([])
    expect(statements).toContain('remove_bodies')
    expect(statements.indexOf('remove_bodies')).toBeLessThan(statements.lastIndexOf('prune_old_events'))
    expect(await readLogBounds(context.db, tenant.appId, conversationId)).toMatchObject({ prunedSeq: 10_500 })
  })

  test('stop waits for the current round and begins no further one', async () => {
    const { context, timers, log, errors } = await setUp()
    const gate = Promise.withResolvers<void>()
    let queries = 0
    const db: typeof context.db = {
      ...context.db,
      query: async (statement, params) => {
        queries += 1
        await gate.promise
        return context.db.query(statement, params)
      },
    }
    const worker = createMaintenanceWorker({ context: { ...context, db }, timers, log })
    worker.start()
    let stopped = false
    const stopping = worker.stop().then(() => {
      stopped = true
    })
    await new Promise(setImmediate)
    expect(stopped).toBe(false)
    const before = queries
    gate.resolve()
    await stopping
    expect(queries).toBe(before)
    timers.advance(10 * MINUTE_MS)
    expect(timers.pending).toBe(0)
    expect(queries).toBe(before)
    expect(errors).toEqual([])
  })
})
