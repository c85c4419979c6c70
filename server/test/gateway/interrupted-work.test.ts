import { expect, test } from 'vitest'
import { cancelRun } from '../../src/gateway/cancel-run.ts'
import { requestApproval } from '../../src/gateway/execution.ts'
import { endInterruptedWork } from '../../src/gateway/interrupted-work.ts'
import { readConversation, readOperation, readRun } from '../../src/gateway/read-records.ts'
import { resetConversation } from '../../src/gateway/reset-conversation.ts'
import type { Statement } from '../../src/store/db.ts'
import { readEvents } from '../../src/store/history/events.ts'
import { openStream } from '../../src/store/streams.ts'
import { answerOf } from '../admin/support.ts'
import { onPglite } from '../support/databases/databases.ts'
import {
  createTestClock,
  intention,
  newConversationId,
  newService,
  SILENT,
  sendText,
  takeWork,
  testContext,
} from '../support/gateway-fixture.ts'

const CALLBACK: Statement = {
  name: 'test_callback',
  access: 'write',
  text: `insert into callbacks (app_id, callback_id, endpoint_id, device_id, url, event_types, enabled, secret, created_at, updated_at)
    values ($1, $2, $3, $4, 'https://orders.example.com', 'run.interrupted', true, '', $5, $5)`,
}
const DELIVERIES: Statement = {
  name: 'test_deliveries',
  access: 'read',
  text: 'select event_type from deliveries where app_id = $1',
}

onPglite('the start of the embedded database', (database) => {
  const clock = createTestClock()
  const setUp = async () => {
    const woken: string[] = []
    const wakeups = { ...SILENT, workAvailable: (deviceId: string) => woken.push(deviceId) }
    const context = { ...testContext(database.db, clock), wakeups }
    const service = await newService(database.db, clock.now())
    const tenant = { appId: service.appId, subject: 'subject' }
    /** A conversation with a run that was executing when the previous process crashed, and a queued run. */
    const crashed = async (beforeCrash: (run: { conversationId: string; runId: string }) => Promise<unknown>) => {
      const conversationId = await newConversationId(context, tenant, service.endpointId)
      const { run_id: runId } = answerOf(await sendText(context, tenant, conversationId))
      await takeWork(context, { deviceId: service.deviceId, workerId: 'previous process', limit: 1 })
      clock.pass(1)
      const next = answerOf(await sendText(context, tenant, conversationId)).run_id
      const before = await beforeCrash({ conversationId, runId })
      return { conversationId, runId, next, before }
    }
    const restart = async () => {
      const errors: unknown[] = []
      await endInterruptedWork(context, { info: () => {}, error: (fields: unknown) => void errors.push(fields) })
      expect(errors).toEqual([])
    }
    const stateOf = async (runId: string) => answerOf(await readRun(context, tenant, runId)).state
    return { context, service, tenant, crashed, restart, stateOf, woken }
  }

  test('interrupts the runs that the previous process executed, in any state, and leaves queued runs alone [DEV-18]', async () => {
    const { context, service, tenant, crashed, restart, stateOf, woken } = await setUp()
    const { appId } = tenant
    const executing = [
      await crashed(async () => null),
      await crashed(({ runId, conversationId }) =>
        requestApproval(context, { appId, conversationId, runId }, 'May I?'),
      ),
      await crashed(({ runId }) => cancelRun(context, tenant, runId, intention())),
    ]
    await restart()
    for (const { conversationId, runId, next } of executing) {
      expect([await stateOf(runId), await stateOf(next)]).toEqual(['interrupted', 'queued'])
      const log = { appId, conversationId, runId }
      const events = await readEvents(database.db, log, 0, { events: 100, payloadBytes: 1e6 })
      expect(events.filter(({ type }) => type === 'run.interrupted')).toHaveLength(1)
      expect(events.at(-1)?.type).toBe('run.interrupted')
      expect(events.filter(({ payload }) => payload.includes('reconciling'))).toEqual([])
    }
    expect(woken).toContain(service.deviceId)
    const taken = await takeWork(context, { deviceId: service.deviceId, workerId: 'next process', limit: 10 })
    expect(taken.map(({ runId }) => runId)).toEqual(executing.map(({ next }) => next))
  })

  test('completes the operations and resets that waited for those runs [DEV-18]', async () => {
    const { context, tenant, crashed, restart } = await setUp()
    const cancelled = await crashed(async ({ runId }) => answerOf(await cancelRun(context, tenant, runId, intention())))
    const reset = await crashed(({ conversationId }) =>
      resetConversation(context, tenant, conversationId, intention(), {
        expected_generation: 1,
        busy_policy: 'cancel_and_reset',
      }),
    )
    await restart()
    const { operation_id: operationId } = cancelled.before as { operation_id: string }
    expect(answerOf(await readOperation(context, tenant, operationId)).state).toBe('succeeded')
    expect(answerOf(await readConversation(context, tenant, reset.conversationId)).generation).toBe(2)
  })

  test('adds a callback delivery for each interrupted run [DEV-18]', async () => {
    const { service, tenant, crashed, restart } = await setUp()
    const { appId, endpointId, deviceId } = service
    await database.db.query(CALLBACK, [appId, `cb of ${appId}`, endpointId, deviceId, clock.now()])
    await crashed(async () => null)
    await restart()
    expect(await database.db.query(DELIVERIES, [tenant.appId])).toEqual([{ event_type: 'run.interrupted' }])
  })

  test('frees the slots of streams [SSE-32]', async () => {
    const { service, restart } = await setUp()
    const limits = { perDevice: 9, perApp: 9, perSubject: 1 }
    const open = (streamId: string, processId: string) =>
      database.db.transaction((tx) =>
        openStream(tx, { ...service, subject: 'subject', streamId, processId }, clock.now(), limits),
      )
    expect(await open('one', 'previous process')).toBeNull()
    await restart()
    expect(await open('two', 'next process')).toBeNull()
    expect(await open('three', 'next process')).toBe('subject')
  })
})
