import { expect, test } from 'vitest'
import { cancelMany } from '../../src/gateway/admin/cancel-many.ts'
import { cancelConversationWork, cancelRunAsOperator } from '../../src/gateway/admin/cancel-work.ts'
import { getRun } from '../../src/gateway/admin/runs.ts'
import { reportOutcome } from '../../src/gateway/execution.ts'
import { onPglite } from '../support/databases/databases.ts'
import {
  createTestClock,
  newConversationId,
  newService,
  SILENT,
  sendText,
  takeWork,
  testContext,
} from '../support/gateway-fixture.ts'
import { answerOf, codeOf, startRun } from './support.ts'

onPglite('an operator who cancels', (database) => {
  /** A conversation with a run that executes and one that is queued behind it. */
  const setUp = async () => {
    const clock = createTestClock()
    const wakeUps: string[] = []
    const wakeups = { ...SILENT, runChanged: (runId: string) => wakeUps.push(runId) }
    const context = { ...testContext(database.db, clock), wakeups }
    const { tenant, run } = await startRun(context)
    const { conversationId, runId: executing } = run
    const { run_id: queued } = answerOf(await sendText(context, tenant, conversationId))
    const operations = async () =>
      (
        await database.db.query<{ state: string }>(
          { name: 'test_operations', access: 'read', text: 'select state from operations where conversation_id = $1' },
          [conversationId],
        )
      ).length
    const end = (runId: string) => reportOutcome(context, { ...run, runId }, { state: 'cancelled' }, [], 0)
    return { context, conversationId, executing, queued, wakeUps, operations, end }
  }

  test('a queued run ends it at once, and no other run', async () => {
    const { context, executing, queued, wakeUps, operations } = await setUp()
    expect(answerOf(await cancelRunAsOperator(context, queued)).state).toBe('cancelled')
    expect(wakeUps).not.toContain(executing)
    expect(await operations()).toBe(1)
  })

  test('an executing run notifies its worker, and a repeated cancel changes nothing', async () => {
    const { context, executing, wakeUps, operations, end } = await setUp()
    expect(answerOf(await cancelRunAsOperator(context, executing)).state).toBe('cancelling')
    expect(wakeUps).toContain(executing)
    expect(answerOf(await cancelRunAsOperator(context, executing)).state).toBe('cancelling')
    await end(executing)
    expect(answerOf(await cancelRunAsOperator(context, executing)).state).toBe('cancelled')
    expect(await operations()).toBe(1)
  })

  test('the work of a conversation stops all its runs', async () => {
    const { context, conversationId, executing, queued, operations, end } = await setUp()
    const record = answerOf(await cancelConversationWork(context, conversationId))
    expect(record).toMatchObject({ conversation_id: conversationId, state: 'active', generation: 1 })
    const stateOf = async (runId: string) => answerOf(await cancelRunAsOperator(context, runId)).state
    expect([await stateOf(executing), await stateOf(queued)]).toEqual(['cancelling', 'cancelled'])
    await end(executing)
    await cancelConversationWork(context, conversationId)
    expect(await operations()).toBe(2)
  })

  test('unknown work gets NOT_FOUND', async () => {
    const { context } = await setUp()
    expect(codeOf(await cancelRunAsOperator(context, 'run_nothing'))).toBe('NOT_FOUND')
    expect(codeOf(await cancelConversationWork(context, 'conv_nothing'))).toBe('NOT_FOUND')
  })
})

onPglite('an operator who cancels many runs', (database) => {
  /** Two conversations of one service, each with a run that executes and one that is queued behind it. */
  const setUp = async () => {
    const clock = createTestClock()
    const context = { ...testContext(database.db, clock), wakeups: SILENT }
    const service = await newService(database.db, clock.now())
    const { appId: app_id, endpointId: endpoint_id } = service
    const send = async (subject: string) => {
      const caller = { appId: app_id, subject }
      const conversationId = await newConversationId(context, caller, endpoint_id)
      const { run_id: executing } = answerOf(await sendText(context, caller, conversationId))
      await takeWork(context, { deviceId: service.deviceId, workerId: 'worker', limit: 1 })
      const { run_id: queued } = answerOf(await sendText(context, caller, conversationId))
      return { conversationId, executing, queued }
    }
    const first = await send('first')
    clock.pass(10_000)
    const second = await send('second')
    const stateOf = async (runId: string) => answerOf(await getRun(context, runId)).state
    const statesOf = (...runs: string[]) => Promise.all(runs.map(stateOf))
    return { context, app_id, endpoint_id, first, second, statesOf }
  }

  test('only counts them by default', async () => {
    const { context, app_id, first, statesOf } = await setUp()
    expect(answerOf(await cancelMany(context, { app_id }))).toEqual({
      dry_run: true,
      matching: 4,
      cancelled: 2,
      stopping: 2,
      more: false,
      next_before: null,
    })
    expect(await statesOf(first.executing, first.queued)).toEqual(['running', 'queued'])
  })

  test('stops all matching runs', async () => {
    const { context, app_id, endpoint_id, first, second, statesOf } = await setUp()
    const body = { app_id, endpoint_id, dry_run: false }
    expect(answerOf(await cancelMany(context, body))).toMatchObject({ matching: 4, cancelled: 2, stopping: 2 })
    const all = [first.executing, first.queued, second.executing, second.queued]
    expect(await statesOf(...all)).toEqual(['cancelling', 'cancelled', 'cancelling', 'cancelled'])
    expect(answerOf(await cancelMany(context, body))).toMatchObject({ matching: 0, cancelled: 0, stopping: 0 })
  })

  test.each([
    ['state', { state: 'queued' as const }, ['running', 'cancelled', 'running', 'cancelled']],
    ['age', { older_than_seconds: 10 }, ['cancelling', 'cancelled', 'running', 'queued']],
    ['subject', { subject: 'second' }, ['running', 'queued', 'cancelling', 'cancelled']],
  ])('stops only the runs that match a filter by %s', async (_filter, narrowing, expected) => {
    const { context, app_id, first, second, statesOf } = await setUp()
    await cancelMany(context, { app_id, ...narrowing, dry_run: false })
    expect(await statesOf(first.executing, first.queued, second.executing, second.queued)).toEqual(expected)
  })

  test('stops only runs older than `before`, for the next page of a large cancel', async () => {
    const { context, app_id, first, second, statesOf } = await setUp()
    await cancelMany(context, { app_id, before: second.executing, dry_run: false })
    expect(await statesOf(first.queued, second.queued)).toEqual(['cancelled', 'queued'])
    expect(codeOf(await cancelMany(context, { app_id, before: 'run_nothing' }))).toBe('NOT_FOUND')
  })

  test('must name an application', async () => {
    const { context } = await setUp()
    expect(codeOf(await cancelMany(context, { dry_run: false }))).toBe('INVALID_REQUEST')
    expect(codeOf(await cancelMany(context, { subject: 'somebody' }))).toBe('INVALID_REQUEST')
  })
})
