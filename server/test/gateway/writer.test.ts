import { randomUUID } from 'node:crypto'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayContext } from '../../src/gateway/context.ts'
import { appendToReply, reportOutcome } from '../../src/gateway/execution.ts'
import { resetConversation } from '../../src/gateway/reset-conversation.ts'
import { sendMessage } from '../../src/gateway/send-message.ts'
import type { Db, Param, Statement, Tx } from '../../src/store/db.ts'
import { DatabaseUnavailable } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { createWriter } from '../../src/writer/writer.ts'
import { beforeStatement } from '../support/databases/before-statement.ts'
import type { TestDatabase } from '../support/databases/databases.ts'
import { eachDatabase, onPostgres } from '../support/databases/databases.ts'
import type { Service } from '../support/gateway-fixture.ts'
import {
  createTestClock,
  intention,
  newConversationId,
  newService,
  publish,
  sendText,
  takeRun,
  takeWork,
  testContext,
} from '../support/gateway-fixture.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { countUnfinished, setUpSlots } from './slot-fixture.ts'

const STATE: Statement = {
  name: 'test_state_of_conversation',
  access: 'read',
  text: `
select c.last_seq as "lastSeq", c.queued_runs as "queuedRuns",
  (select count(*) from runs r where r.app_id = c.app_id and r.conversation_id = c.conversation_id) as runs,
  (select count(*) from messages m where m.app_id = c.app_id and m.conversation_id = c.conversation_id) as messages,
  (select count(*) from events e where e.app_id = c.app_id and e.conversation_id = c.conversation_id) as events,
  (select count(*) from idempotency i where i.app_id = c.app_id and i.response->>'conversation_id' = c.conversation_id
    and i.response->>'run_id' is not null) as records
from conversations c where c.app_id = $1 and c.conversation_id = $2`,
}

const clock = createTestClock()

interface Batch {
  readonly context: GatewayContext
  readonly service: Service
  readonly tenant: Tenant
  /** The batch has one admission for each conversation. */
  readonly conversations: readonly string[]
}

const setUp = async (database: TestDatabase, db: Db = database.db): Promise<Batch> => {
  const context = { ...testContext(database.db, clock), writer: createWriter(db) }
  const service = await newService(database.db, clock.now())
  const tenant = { appId: service.appId, subject: 'subject' }
  const conversations: string[] = []
  for (let n = 0; n < 4; n += 1) conversations.push(await newConversationId(context, tenant, service.endpointId))
  return { context, service, tenant, conversations }
}

const stateOf = async ({ context, tenant }: Pick<Batch, 'context' | 'tenant'>, conversationId: string) =>
  (await context.db.query(STATE, [tenant.appId, conversationId]))[0]

const NOTHING = { lastSeq: 0, queuedRuns: 0, runs: 0, messages: 0, events: 0, records: 0 }
const STARTED = { lastSeq: 2, queuedRuns: 0, runs: 1, messages: 1, events: 2, records: 1 }

/** Sends all at once, so that they are one batch. */
const sendAll = ({ context, tenant, conversations }: Batch, keys: readonly string[]) =>
  Promise.allSettled(
    conversations.map((id, n) => sendText(context, tenant, id, { request: intention(n, keys[n] ?? '') })),
  )
const newKeys = ({ conversations }: Batch): string[] => conversations.map(() => randomUUID())

const END_SESSION: Statement = {
  name: 'test_end_session',
  access: 'read',
  text: 'select pg_terminate_backend(pg_backend_pid())',
}

onPostgres('a batch that starts its runs and whose connection breaks', (database) => {
  const setUpBatch = async (through: Db) => {
    const fixture = await setUpSlots(database.db, { through })
    const conversations: string[] = []
    for (let n = 0; n < 4; n += 1) conversations.push(await fixture.newConversation())
    return { ...fixture, conversations }
  }

  test.each([
    'lock_free_conversations',
    'count_pending_runs',
    'read_starts',
    'find_idempotency_records',
    'write_conversations',
    'write_pending_runs',
  ])('at %s writes nothing and releases its slots, and repeating each request performs it once', async (step) => {
    let isArmed = true
    const breaking = beforeStatement(database.db, ({ name }, tx) => {
      if (!isArmed || !name.startsWith(step)) return
      isArmed = false
      tx.query(END_SESSION, []).catch(() => {})
    })
    const batch = await setUpBatch(breaking)
    const keys = newKeys(batch)
    const started = () => batch.settled.flatMap(({ outcome, runs }) => (outcome === 'committed' ? runs : []))
    for (const outcome of await sendAll(batch, keys))
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })
    expect(isArmed).toBe(false)
    for (const id of batch.conversations) expect(await stateOf(batch, id)).toEqual(NOTHING)
    expect(batch.reserved()).toBe(0)
    expect(started()).toEqual([])
    for (const outcome of await sendAll(batch, keys))
      expect(outcome).toMatchObject({ status: 'fulfilled', value: { kind: 'admitted', replayed: false } })
    for (const id of batch.conversations) expect(await stateOf(batch, id)).toEqual(STARTED)
    expect(await batch.unfinished()).toBe(4)
    expect(started()).toHaveLength(4)
  })

  describe('at its commit', () => {
    let proxy: TcpProxy
    let db: Db
    beforeAll(async () => {
      proxy = await startTcpProxy(database.url)
      db = createPgDb({ url: proxy.url, deadlineMs: 1000 })
    })
    afterAll(async () => {
      await db.close()
      await proxy.close()
    })

    test('is committed as a whole, each admission is found by its key, and the outcome of the slots is unknown [IDEM-25]', async () => {
      const batch = await setUpBatch(db)
      const keys = newKeys(batch)
      proxy.swallowAnswersTo('commit\0', () => {})
      // The writer loses the answer. Each caller looks its key up on another connection.
      const outcomes = await sendAll(batch, keys)
      proxy.swallow(null)
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ status: 'fulfilled', value: { kind: 'admitted', replayed: true } })
      for (const outcome of await sendAll(batch, keys))
        expect(outcome).toMatchObject({ status: 'fulfilled', value: { kind: 'admitted', replayed: true } })
      for (const id of batch.conversations) expect(await stateOf(batch, id)).toEqual(STARTED)
      expect(await batch.unfinished()).toBe(4)
      expect(batch.settled).toMatchObject([
        { outcome: 'unknown', runs: batch.conversations.map((conversationId) => ({ conversationId })) },
      ])
    })
  })
})

onPostgres('a conversation that another transaction has locked', (database) => {
  const LOCK: Statement = {
    name: 'test_lock_conversation',
    access: 'write',
    text: 'select 1 from conversations where conversation_id = $1 for update',
  }

  test('delays only its own changes', async () => {
    const batch = await setUp(database)
    const { context, tenant, conversations } = batch
    const [locked = '', ...others] = conversations
    let isWaiting = true
    const waiting = await database.openAnother().transaction(async (tx) => {
      await tx.query(LOCK, [locked])
      const sent = sendText(context, tenant, locked).finally(() => {
        isWaiting = false
      })
      for (const outcome of await Promise.all(others.map((id) => sendText(context, tenant, id))))
        expect(outcome).toMatchObject({ kind: 'admitted' })
      expect(isWaiting).toBe(true)
      return [sent]
    })
    expect(await Promise.all(waiting)).toMatchObject([{ kind: 'admitted' }])
  })
})

eachDatabase('changes in one batch', (database) => {
  test('are written in one transaction, in the order of the calls', async () => {
    let transactions = 0
    const counting: Db = {
      ...database.db,
      transaction: (work, options) => {
        transactions += 1
        return database.db.transaction(work, options)
      },
    }
    const batch = await setUp(database, counting)
    const [id = ''] = batch.conversations
    const sent = await Promise.all(Array.from({ length: 20 }, () => sendText(batch.context, batch.tenant, id)))
    expect(sent.map((outcome) => (outcome.kind === 'admitted' ? outcome.body.event_cursor : 0))).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    )
    expect(transactions).toBe(1)
  })

  test('each have their own outcome: a refused or unwritable change does not affect the others', async () => {
    const batch = await setUp(database)
    const { context, tenant, conversations } = batch
    const [first = '', second = '', third = '', fourth = ''] = conversations
    const faulty = context.writer.write(context, {
      conversation: { appId: tenant.appId, conversationId: third },
      reads: {},
      decide: () => {
        throw new Error('broken')
      },
    })
    const [admitted, refused, broken, later] = await Promise.allSettled([
      sendText(context, tenant, first),
      sendText(context, tenant, second, { generation: 7 }),
      faulty,
      sendText(context, tenant, fourth),
    ])
    expect(admitted).toMatchObject({ value: { kind: 'admitted' } })
    expect(refused).toMatchObject({ value: { kind: 'refused', code: 'GENERATION_CONFLICT' } })
    expect(broken).toMatchObject({ status: 'rejected', reason: { message: 'broken' } })
    expect(later).toMatchObject({ value: { kind: 'admitted' } })
    expect(await stateOf(batch, second)).toEqual(NOTHING)
    expect(await stateOf(batch, third)).toEqual(NOTHING)
  })

  test('to one run build on each other: its text, its end, and the next run of the conversation', async () => {
    const batch = await setUp(database)
    const { context, tenant, service, conversations } = batch
    const [id = ''] = conversations
    await sendText(context, tenant, id)
    const run = await takeRun(context, service)
    const target = { ...run, messageId: 'msg_1' }
    const [written, ended, late, next] = await Promise.all([
      appendToReply(context, target, [
        { place: 0, index: 0, text: 'a' },
        { place: 1, index: 1, text: 'b' },
      ]),
      reportOutcome(context, run, { state: 'succeeded' }),
      appendToReply(context, target, [{ place: 2, index: 2, text: 'c' }]),
      sendText(context, tenant, id),
    ])
    expect([written, ended, late]).toEqual([true, true, false])
    expect(next).toMatchObject({ kind: 'admitted' })
    expect(await stateOf(batch, id)).toMatchObject({ queuedRuns: 1, runs: 2, messages: 3 })
    await takeRun(context, service)
    expect(await countUnfinished(database.db, tenant.appId)).toBe(1)
  })
})

eachDatabase('an admission in the same batch as a preceding reset', (database) => {
  test('gets the generation and the version of the reset [RESET-08]', async () => {
    const batch = await setUp(database)
    const { context, tenant, service, conversations } = batch
    const [id = ''] = conversations
    await publish(database.db, service, true, clock.now())
    const [reset, sent] = await Promise.all([
      resetConversation(context, tenant, id, intention(), { expected_generation: 1 }),
      sendText(context, tenant, id, { generation: 2 }),
    ])
    expect([reset.kind, sent.kind]).toEqual(['admitted', 'admitted'])
    const run = await takeRun(context, service)
    expect(run).toMatchObject({ conversationId: id, generation: 2, bindingVersion: 2 })
  })
})

eachDatabase('long replies that end at the same time', (database) => {
  test('are split into batches of limited size', async () => {
    const written = new Map<Tx, number>()
    const measuring = beforeStatement(database.db, ({ name }, tx, params) => {
      if (name.startsWith('write_')) written.set(tx, (written.get(tx) ?? 0) + lengthOf(params))
    })
    const batch = await setUp(database, measuring)
    const { context, tenant, service, conversations } = batch
    for (const id of conversations) await sendText(context, tenant, id)
    const runs = await takeWork(context, { deviceId: service.deviceId, workerId: 'worker', limit: 4 })
    expect(runs).toHaveLength(4)
    const targets = runs.map((run) => ({ ...run, messageId: `msg_${run.runId}` }))
    const text = 'x'.repeat(250_000)
    for (const target of targets) await appendToReply(context, target, [{ place: 0, index: 0, text }])
    written.clear()
    const ended = await Promise.all(
      targets.map((target) => reportOutcome(context, target, { state: 'succeeded' }, [], text.length)),
    )
    expect(ended).toEqual([true, true, true, true])
    expect(written.size).toBeGreaterThan(1)
    for (const length of written.values()) expect(length).toBeLessThan(1_500_000)
  })
})

const lengthOf = (params: readonly Param[]): number =>
  params.reduce<number>((sum, param) => sum + (typeof param === 'string' ? param.length : 0), 0)

eachDatabase('an admission that waited for its batch', (database) => {
  test('is refused if its start_before has passed, and admits nothing [MSG-15]', async () => {
    const batch = await setUp(database)
    const { context, tenant } = batch
    const [id = ''] = batch.conversations
    const start = clock.now().getTime()
    let looks = 0
    // Each reading of the clock is 100 ms later than the one before.
    const withFastClock = { ...context, clock: { now: () => new Date(start + 100 * looks++) } }
    const body = { expected_generation: 1, start_before: new Date(start + 50).toISOString(), input: { text: 'late' } }
    const outcome = await sendMessage(withFastClock, tenant, intention('late'), {
      app: { pendingLimit: null },
      conversationId: id,
      body,
    })
    expect(outcome).toMatchObject({ code: 'INVALID_REQUEST', faults: [{ pointer: '/start_before' }] })
    expect(looks).toBe(3)
    expect(await stateOf(batch, id)).toEqual(NOTHING)
  })
})
