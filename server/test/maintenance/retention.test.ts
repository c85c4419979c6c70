import { expect, test } from 'vitest'
import { decideApproval, listApprovals } from '../../src/gateway/admin/approvals.ts'
import { cancelRun } from '../../src/gateway/cancel-run.ts'
import { appendToReply, reportOutcome, requestApproval } from '../../src/gateway/execution.ts'
import { findReplay } from '../../src/gateway/idempotent.ts'
import { readConversation, readMessages, readOperation, readRun } from '../../src/gateway/read-records.ts'
import { createSweeps } from '../../src/gateway/retention.ts'
import type { Statement } from '../../src/store/db.ts'
import { readEvents } from '../../src/store/history/events.ts'
import { readLogBounds } from '../../src/store/history/log-bounds.ts'
import { beatProcess } from '../../src/store/maintenance/processes.ts'
import { openStream } from '../../src/store/streams.ts'
import { answerOf, codeOf } from '../admin/support.ts'
import { eachDatabase, type TestDatabase } from '../support/databases/databases.ts'
import { beat, intention, newConversation, sendText, takeRun } from '../support/gateway-fixture.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const setUp = async (database: TestDatabase) => {
  const fixture = await newConversation(database.db)
  return { ...fixture, sweeps: createSweeps(fixture.context) }
}
type Fixture = Awaited<ReturnType<typeof setUp>>

const sweepAll = async ({ sweeps }: Fixture) => {
  for (const sweep of sweeps) await sweep.run(new AbortController().signal)
}

/** Admits a message and takes its run for execution. */
const startRun = async ({ context, service, tenant, conversationId, clock }: Fixture, text = 'hello') => {
  await beat(context.db, service.deviceId, clock.now())
  const { run_id: runId } = answerOf(await sendText(context, tenant, conversationId, { text }))
  await takeRun(context, service)
  return { appId: service.appId, conversationId, runId }
}

const finishRun = async (fixture: Fixture, answer = 'world') => {
  const run = await startRun(fixture)
  const deltas = [{ place: 0, index: 0, text: answer }]
  await appendToReply(fixture.context, { ...run, messageId: `msg_of_${run.runId}` }, deltas)
  await reportOutcome(fixture.context, run, { state: 'succeeded' })
  return run
}

const textsOf = async ({ context, tenant, conversationId }: Fixture) =>
  answerOf(await readMessages(context, tenant, conversationId, { limit: 100 })).messages.map(
    ({ content }) => content.text,
  )

eachDatabase('retention', (database) => {
  test('events are removed after exactly 7 days, and the log records the last removed position [RET-01, RET-04]', async () => {
    const fixture = await setUp(database)
    await finishRun(fixture)
    const log = { appId: fixture.tenant.appId, conversationId: fixture.conversationId, runId: null }
    const seqs = async () =>
      (await readEvents(database.db, log, 0, { events: 100, payloadBytes: 1e6 })).map(({ seq }) => seq)
    fixture.clock.pass(DAY_MS)
    await finishRun(fixture)
    fixture.clock.pass(6 * DAY_MS)
    await sweepAll(fixture)
    expect(await seqs()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    fixture.clock.pass(1)
    await sweepAll(fixture)
    expect(await seqs()).toEqual([6, 7, 8, 9, 10])
    expect(await readLogBounds(database.db, log.appId, log.conversationId)).toEqual({ lastSeq: 10, prunedSeq: 5 })
    const { watermark } = answerOf(await readConversation(fixture.context, fixture.tenant, fixture.conversationId))
    expect(watermark).toBe(10)
  })

  test('events and bodies are kept for the configured times', async () => {
    const fixture = await setUp(database)
    const sweeps = createSweeps(fixture.context, { eventsMs: DAY_MS, bodiesMs: 2 * DAY_MS })
    await finishRun(fixture)
    const kept = async () => {
      await sweepAll({ ...fixture, sweeps })
      const bounds = await readLogBounds(database.db, fixture.tenant.appId, fixture.conversationId)
      return [bounds?.prunedSeq, (await textsOf(fixture)).length]
    }
    fixture.clock.pass(DAY_MS)
    expect(await kept()).toEqual([0, 2])
    fixture.clock.pass(1)
    expect(await kept()).toEqual([5, 2])
    fixture.clock.pass(DAY_MS - 1)
    expect(await kept()).toEqual([5, 2])
    fixture.clock.pass(1)
    expect(await kept()).toEqual([5, 0])
  })

  test('messages and results are removed 30 days after their run has ended; its record stays [RET-02, RET-06]', async () => {
    const fixture = await setUp(database)
    const { context, tenant, clock, conversationId } = fixture
    const old = await finishRun(fixture, 'first')
    clock.pass(1)
    const young = await finishRun(fixture, 'second')
    clock.pass(30 * DAY_MS - 1)
    await sweepAll(fixture)
    expect(await textsOf(fixture)).toEqual(['hello', 'first', 'hello', 'second'])
    clock.pass(1)
    await sweepAll(fixture)
    expect(await textsOf(fixture)).toEqual(['hello', 'second'])
    expect(answerOf(await readRun(context, tenant, old.runId))).toMatchObject({ state: 'succeeded', result: null })
    expect(answerOf(await readRun(context, tenant, young.runId))).toMatchObject({ result: { text: 'second' } })
    expect(answerOf(await readConversation(context, tenant, conversationId)).runs).toMatchObject([
      { run_id: old.runId, result: null, result_available: false },
      { run_id: young.runId, result: { text: 'second' }, result_available: true },
    ])
  })

  test('a run that waited for an approval keeps its messages until 30 days after its end', async () => {
    const fixture = await setUp(database)
    const run = await startRun(fixture, 'patience')
    const approval = await requestApproval(fixture.context, run, 'May I continue?')
    fixture.clock.pass(31 * DAY_MS)
    await sweepAll(fixture)
    expect(await textsOf(fixture)).toEqual(['patience'])
    await decideApproval(fixture.context, approval ?? '', { decision: 'approve' })
    await reportOutcome(fixture.context, run, { state: 'succeeded', text: 'at last' })
    fixture.clock.pass(29 * DAY_MS)
    await sweepAll(fixture)
    expect(await textsOf(fixture)).toEqual(['patience', 'at last'])
  })

  test('the input of runs that never started is removed after 30 days, too', async () => {
    const fixture = await setUp(database)
    const { context, tenant, conversationId } = fixture
    const { run_id: runId } = answerOf(await sendText(context, tenant, conversationId))
    answerOf(await cancelRun(context, tenant, runId, intention()))
    fixture.clock.pass(30 * DAY_MS + 1)
    await sweepAll(fixture)
    expect(await textsOf(fixture)).toEqual([])
    expect(answerOf(await readRun(context, tenant, runId)).state).toBe('cancelled')
  })

  test('one round removes the bodies of more runs than one batch contains', async () => {
    const fixture = await setUp(database)
    const statements: Record<'runs' | 'messages' | 'left', Statement> = {
      runs: {
        name: 'test_many_runs',
        access: 'write',
        text: `insert into runs (app_id, run_id, conversation_id, subject, endpoint_id, device_id, message_id, generation,
            binding_version, position, admitted_seq, state, delivery_state, start_before, result, created_at, updated_at, finished_at)
          select $1, 'run_' || $2 || n, $2, 'subject', $3, $4, 'msg_' || n, 1, 1, n, 0, 'succeeded', 'device_received',
            $5::timestamptz, '{"text":"x"}', $5::timestamptz, $5::timestamptz, $5::timestamptz
          from generate_series(1, 1300) n`,
      },
      messages: {
        name: 'test_many_messages',
        access: 'write',
        text: `insert into messages (app_id, conversation_id, cursor, message_id, run_id, generation, role, text, created_at)
          select app_id, conversation_id, position, message_id, run_id, 1, 'user', 'x', created_at
          from runs where app_id = $1 and conversation_id = $2`,
      },
      left: {
        name: 'test_left_bodies',
        access: 'read',
        text: `select (select count(*) from messages where app_id = $1) as messages,
          (select count(*) from runs where app_id = $1 and result is not null) as results`,
      },
    }
    const { service, conversationId, clock } = fixture
    await database.db.query(statements.runs, [
      service.appId,
      conversationId,
      service.endpointId,
      service.deviceId,
      clock.now(),
    ])
    await database.db.query(statements.messages, [service.appId, conversationId])
    clock.pass(30 * DAY_MS + 1)
    await sweepAll(fixture)
    expect(await database.db.query(statements.left, [service.appId])).toEqual([{ messages: 0, results: 0 }])
  })

  test('complete operations are kept for 30 days, incomplete ones until they are complete', async () => {
    const fixture = await setUp(database)
    const { context, tenant, clock } = fixture
    const ended = await finishRun(fixture)
    const complete = answerOf(await cancelRun(context, tenant, ended.runId, intention())).operation_id
    const running = await startRun(fixture)
    const incomplete = answerOf(await cancelRun(context, tenant, running.runId, intention())).operation_id
    clock.pass(30 * DAY_MS)
    await sweepAll(fixture)
    expect(answerOf(await readOperation(context, tenant, complete)).state).toBe('succeeded')
    clock.pass(1)
    await sweepAll(fixture)
    expect(codeOf(await readOperation(context, tenant, complete))).toBe('NOT_FOUND')
    expect(answerOf(await readOperation(context, tenant, incomplete)).state).toBe('stopping')
  })

  test('decided approvals are kept for 30 days, pending ones until they are decided', async () => {
    const fixture = await setUp(database)
    const { context, clock, tenant } = fixture
    const run = await startRun(fixture)
    const first = await requestApproval(context, run, 'first')
    await decideApproval(context, first ?? '', { decision: 'approve' })
    const second = await requestApproval(context, run, 'second')
    const left = async () =>
      answerOf(await listApprovals(context, { appId: tenant.appId, state: null }, { limit: 9 })).approvals.map(
        ({ approval_id }) => approval_id,
      )
    clock.pass(30 * DAY_MS)
    await sweepAll(fixture)
    expect(new Set(await left())).toEqual(new Set([first, second]))
    clock.pass(1)
    await sweepAll(fixture)
    expect(await left()).toEqual([second])
  })

  test('records of dead processes and of their streams are removed', async () => {
    const fixture = await setUp(database)
    const { clock, service } = fixture
    const processId = `process of ${service.appId}`
    const stream = {
      appId: service.appId,
      streamId: 'stream',
      subject: 'subject',
      deviceId: service.deviceId,
      processId,
    }
    const expiresAt = new Date(clock.now().getTime() + MINUTE_MS)
    await beatProcess(database.db, { processId, expiresAt, runSlots: 0, deviceIds: null })
    await database.db.transaction((tx) =>
      openStream(tx, stream, clock.now(), { perDevice: 9, perApp: 9, perSubject: 9 }),
    )
    const rows: Statement = {
      name: 'test_streams_and_processes',
      access: 'read',
      text: 'select stream_id from streams where app_id = $1 union select process_id from processes where process_id = $2',
    }
    await sweepAll(fixture)
    expect(await database.db.query(rows, [service.appId, processId])).toHaveLength(2)
    clock.pass(MINUTE_MS)
    await sweepAll(fixture)
    expect(await database.db.query(rows, [service.appId, processId])).toEqual([])
  })

  test('a sweep that is asked to stop does not begin another batch', async () => {
    const fixture = await setUp(database)
    const request = intention('once')
    answerOf(await sendText(fixture.context, fixture.tenant, fixture.conversationId, { request }))
    fixture.clock.pass(60 * DAY_MS)
    for (const sweep of fixture.sweeps) await sweep.run(AbortSignal.abort())
    expect(await findReplay(database.db, fixture.tenant, request)).not.toBeNull()
  })
})
