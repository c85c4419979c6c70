import { expect, test } from 'vitest'
import { cancelMany } from '../../src/gateway/admin/cancel-many.ts'
import { getRun } from '../../src/gateway/admin/runs.ts'
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
import { answerOf, codeOf } from './support.ts'

onPglite('an operator who cancels many runs', (database) => {
  /** Two conversations of one service, each with a run that executes and one that is queued behind it. */
  const setUp = async () => {
    const clock = createTestClock()
    const context = { ...testContext(database.db, clock), wakeups: SILENT }
    const service = await newService(database.db, clock.now())
    const { appId: app_id, endpointId: endpoint_id } = service
    const tenant = { appId: app_id, subject: 'subject' }
    const send = async (subject: string) => {
      const its = { ...tenant, subject }
      const conversationId = await newConversationId(context, its, endpoint_id)
      const { run_id: executing } = answerOf(await sendText(context, its, conversationId))
      await takeWork(context, { deviceId: service.deviceId, workerId: 'worker', limit: 1 })
      const { run_id: queued } = answerOf(await sendText(context, its, conversationId))
      return { conversationId, executing, queued }
    }
    const first = await send('first')
    clock.pass(10_000)
    const second = await send('second')
    const stateOf = async (runId: string) => answerOf(await getRun(context, runId)).state
    const statesOf = (...runs: string[]) => Promise.all(runs.map(stateOf))
    return { context, app_id, endpoint_id, first, second, statesOf }
  }

  test('only counts them, unless told otherwise', async () => {
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

  test('stops what matches, and a second time nothing more', async () => {
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
  ])('leaves the others alone: by %s', async (_filter, narrowing, expected) => {
    const { context, app_id, first, second, statesOf } = await setUp()
    await cancelMany(context, { app_id, ...narrowing, dry_run: false })
    expect(await statesOf(first.executing, first.queued, second.executing, second.queued)).toEqual(expected)
  })

  test('goes on before the run that a request ended with', async () => {
    const { context, app_id, first, second, statesOf } = await setUp()
    await cancelMany(context, { app_id, before: second.executing, dry_run: false })
    expect(await statesOf(first.queued, second.queued)).toEqual(['cancelled', 'queued'])
    expect(codeOf(await cancelMany(context, { app_id, before: 'run_nothing' }))).toBe('NOT_FOUND')
  })

  test('has to say which ones', async () => {
    const { context } = await setUp()
    expect(codeOf(await cancelMany(context, { dry_run: false }))).toBe('INVALID_REQUEST')
    expect(codeOf(await cancelMany(context, { subject: 'somebody' }))).toBe('INVALID_REQUEST')
  })
})
