import { expect, test } from 'vitest'
import { cancelConversationWork, cancelRunAsOperator } from '../../src/gateway/admin/cancel-work.ts'
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
import { answerOf, codeOf } from './support.ts'

onPglite('an operator who cancels', (database) => {
  /** A conversation with a run that executes and one that is queued behind it. */
  const setUp = async () => {
    const clock = createTestClock()
    const told: string[] = []
    const wakeups = { ...SILENT, runChanged: (runId: string) => told.push(runId) }
    const context = { ...testContext(database.db, clock), wakeups }
    const service = await newService(database.db, clock.now())
    const tenant = { appId: service.appId, subject: 'subject' }
    const conversationId = await newConversationId(context, tenant, service.endpointId)
    const { run_id: executing } = answerOf(await sendText(context, tenant, conversationId))
    await takeWork(context, { deviceId: service.deviceId, workerId: 'worker', limit: 1 })
    const { run_id: queued } = answerOf(await sendText(context, tenant, conversationId))
    const operations = async () =>
      (
        await database.db.query<{ state: string }>(
          { name: 'operations_here', access: 'read', text: 'select state from operations where conversation_id = $1' },
          [conversationId],
        )
      ).length
    const end = (runId: string) =>
      reportOutcome(context, { appId: service.appId, conversationId, runId }, { state: 'cancelled' }, [], 0)
    return { context, conversationId, executing, queued, told, operations, end }
  }

  test('a queued run ends it at once, and leaves the others alone', async () => {
    const { context, executing, queued, told, operations } = await setUp()
    expect(answerOf(await cancelRunAsOperator(context, queued)).state).toBe('cancelled')
    expect(told).not.toContain(executing)
    expect(await operations()).toBe(1)
  })

  test('an executing run tells its worker, and a second time changes nothing', async () => {
    const { context, executing, told, operations, end } = await setUp()
    expect(answerOf(await cancelRunAsOperator(context, executing)).state).toBe('cancelling')
    expect(told).toContain(executing)
    expect(answerOf(await cancelRunAsOperator(context, executing)).state).toBe('cancelling')
    await end(executing)
    expect(answerOf(await cancelRunAsOperator(context, executing)).state).toBe('cancelled')
    expect(await operations()).toBe(1)
  })

  test('the work of a conversation stops every run of it', async () => {
    const { context, conversationId, executing, queued, operations, end } = await setUp()
    const record = answerOf(await cancelConversationWork(context, conversationId))
    expect(record).toMatchObject({ conversation_id: conversationId, state: 'active', generation: 1 })
    const stateOf = async (runId: string) => answerOf(await cancelRunAsOperator(context, runId)).state
    expect([await stateOf(executing), await stateOf(queued)]).toEqual(['cancelling', 'cancelled'])
    await end(executing)
    await cancelConversationWork(context, conversationId)
    expect(await operations()).toBe(2)
  })

  test('what does not exist is told so', async () => {
    const { context } = await setUp()
    expect(codeOf(await cancelRunAsOperator(context, 'run_nothing'))).toBe('NOT_FOUND')
    expect(codeOf(await cancelConversationWork(context, 'conv_nothing'))).toBe('NOT_FOUND')
  })
})
