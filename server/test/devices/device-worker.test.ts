import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { systemClock } from '@conversation-gateway/openapi/behaviour/clock'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { isTerminal, RUN_STATES } from '@conversation-gateway/openapi/behaviour/run-state'
import type { Run } from '@conversation-gateway/openapi/generated/gateway-closed'
import { describe, expect, it, onTestFinished } from 'vitest'
import { echo } from '../../src/assistants/echo.ts'
import { createAssistants } from '../../src/assistants/registry.ts'
import { createExecutionPort } from '../../src/devices/execution-port.ts'
import { DEFAULT_WORKER_SETTINGS } from '../../src/devices/settings.ts'
import { createDeviceWorker } from '../../src/devices/worker.ts'
import type { TakenInput } from '../../src/domain/message-input.ts'
import { decideApproval } from '../../src/gateway/admin/approvals.ts'
import { advanceDueWork } from '../../src/gateway/advance-work.ts'
import { cancelRun } from '../../src/gateway/cancel-run.ts'
import { createPresence } from '../../src/gateway/presence.ts'
import { readMessages, readOperation, readRun } from '../../src/gateway/read-records.ts'
import { sendMessage } from '../../src/gateway/send-message.ts'
import { createWakeupBus } from '../../src/gateway/wakeups/wakeup-bus.ts'
import { systemTimers } from '../../src/runtime/timers.ts'
import type { Db, Statement } from '../../src/store/db.ts'
import { readEvents } from '../../src/store/history/events.ts'
import { answerOf } from '../admin/support.ts'
import { eachDatabase, onPostgres } from '../support/databases/databases.ts'
import type { Service } from '../support/gateway-fixture.ts'
import {
  createTestClock,
  intention,
  newConversationId,
  newService,
  SETTINGS,
  testContext,
} from '../support/gateway-fixture.ts'

import { jsonText } from '../support/json.ts'

const PROCESS: Statement = {
  name: 'test_process',
  access: 'read',
  text: 'select expires_at as until from processes where process_id = $1',
}
const QUIET_LOG = { info: () => {}, warn: () => {}, error: () => {} }

/** Waits until a look gives something; the test's own timeout is the only bound. */
const poll = async <T>(look: () => Promise<T | null | undefined | false>): Promise<T> => {
  for (;;) {
    const seen = await look()
    if (seen) return seen
    await pause(5)
  }
}

/** One process of the gateway with a device worker, on a database. */
const startGateway = async (db: Db, service: Service, clock: Clock = systemClock) => {
  const workerId = newId('req')
  const wakeups = await createWakeupBus({ db, timers: systemTimers, processId: workerId, wakeMs: 5, onError: () => {} })
  const context = { ...testContext(db, clock), wakeups }
  const settings = { ...DEFAULT_WORKER_SETTINGS, heartbeatMs: 50, shutdownGraceMs: 0 }
  const deviceIds = [service.deviceId]
  const presence = createPresence({
    ...{ db, clock, timers: systemTimers, processId: workerId, runSlots: settings.runConcurrency, deviceIds },
    ...{
      elapsedMs: () => performance.now(),
      beatMs: settings.heartbeatMs,
      leaseMs: SETTINGS.leaseMs,
      onError: () => {},
    },
  })
  const worker = createDeviceWorker({
    port: createExecutionPort(context, { workerId, deviceIds }),
    assistants: createAssistants({
      environment: {},
      moduleAssistant: () => echo,
      httpAssistant: null,
      timers: systemTimers,
    }),
    timers: systemTimers,
    wakeups,
    log: QUIET_LOG,
    settings,
  })
  await presence.start()
  await worker.start()
  onTestFinished(async () => {
    await worker.stop()
    await presence.stop()
    await wakeups.close()
  })

  const tenant = { appId: service.appId, subject: 'subject' }
  const converse = () => newConversationId(context, tenant, service.endpointId)
  const send = async (conversationId: string, input: TakenInput) => {
    const sent = await sendMessage(context, tenant, intention(), {
      app: { pendingLimit: null },
      conversationId,
      body: { expected_generation: 1, input },
    })
    if (sent.kind === 'refused') throw new Error(sent.detail)
    return sent.body.run_id
  }
  const find = async (runId: string): Promise<Run> => {
    const run = await readRun(context, tenant, runId)
    if (run.kind === 'refused') throw new Error(run.detail)
    return JSON.parse(run.json)
  }
  return {
    context,
    tenant,
    worker,
    workerId,
    converse,
    send,
    play: async (...script: unknown[]) => send(await converse(), { data: jsonText({ script }) }),
    find,
    inState: (runId: string, state: string) =>
      poll(async () => {
        const run = await find(runId)
        return run.state === state && run
      }),
    ended: (runId: string) =>
      poll(async () => {
        const run = await find(runId)
        return RUN_ENDS.has(run.state) && run
      }),
    events: async (conversationId: string) =>
      readEvents(db, { ...tenant, conversationId, runId: null }, 0, { events: 1000, payloadBytes: 1024 * 1024 }),
  }
}

const RUN_ENDS: ReadonlySet<string> = new Set(RUN_STATES.filter(isTerminal))

eachDatabase('a device worker', (database) => {
  const start = async (clock: Clock = systemClock) =>
    startGateway(database.db, await newService(database.db, clock.now()), clock)
  const streamed = ({ events }: Awaited<ReturnType<typeof start>>, conversationId: string) =>
    poll(async () => (await events(conversationId)).some(({ type }) => type === 'assistant.delta'))

  it('streams an answer whose deltas, message and result are the same text', async () => {
    const { converse, send, ended, events, context, tenant } = await start()
    const conversationId = await converse()
    const text = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')
    const runId = await send(conversationId, { text })
    expect(await ended(runId)).toMatchObject({ state: 'succeeded', result: { text } })
    const log = await events(conversationId)
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
    const deltas = log.filter(({ type }) => type === 'assistant.delta').map(({ payload }) => JSON.parse(payload))
    expect(deltas.map(({ index }) => index)).toEqual(deltas.map((_, index) => index))
    expect(deltas.map((delta) => delta.text).join('')).toBe(text)
    expect(log.at(-1)?.type).toBe('run.completed')
    const { messages } = answerOf(await readMessages(context, tenant, conversationId, { limit: 10 }))
    expect(messages).toMatchObject([{ role: 'user' }, { role: 'assistant', content: { text } }])
  })

  it('executes the runs of a conversation one after the other, in order [RUN-03, RUN-43]', async () => {
    const { converse, send, ended, events } = await start()
    const conversationId = await converse()
    const runIds = []
    for (const text of ['first', 'second', 'third']) runIds.push(await send(conversationId, { text }))
    for (const runId of runIds) await ended(runId)
    const order = (await events(conversationId))
      .filter(({ type }) => type === 'run.started' || type === 'run.completed')
      .map(({ type, runId }) => [type, runId])
    expect(order).toEqual(
      runIds.flatMap((runId) => [
        ['run.started', runId],
        ['run.completed', runId],
      ]),
    )
  })

  it('confirms a cancellation, and keeps what was streamed [CANCEL-10]', async () => {
    const gateway = await start()
    const { play, inState, find, context, tenant } = gateway
    const runId = await play({ delta: 'partial' }, { hang: true })
    await streamed(gateway, (await inState(runId, 'running')).conversation_id)
    const control = await cancelRun(context, tenant, runId, intention())
    if (control.kind === 'refused') throw new Error(control.detail)
    await poll(async () => {
      const operation = await readOperation(context, tenant, control.body.operation_id)
      return operation.kind === 'found' && operation.body.state === 'succeeded'
    })
    expect(await find(runId)).toMatchObject({ state: 'cancelled', result: { text: 'partial' } })
  })

  it('waits for an approval, and obeys the decision [SCRIPT-05, SCRIPT-06]', async () => {
    const { play, inState, ended, events, context } = await start()
    const decisions = [
      ['approve', { state: 'succeeded', result: { text: 'ab' } }],
      ['deny', { state: 'failed', result: { text: 'a', error: { code: 'APPROVAL_DENIED' } } }],
    ] as const
    for (const [decision, end] of decisions) {
      const runId = await play({ delta: 'a' }, { approval: 'May I?' }, { delta: 'b' })
      const { conversation_id } = await inState(runId, 'waiting_approval')
      const [asked] = (await events(conversation_id)).filter(({ type }) => type === 'approval.required')
      await decideApproval(context, JSON.parse(asked?.payload ?? '').approval_id, { decision })
      expect(await ended(runId)).toMatchObject(end)
    }
  })

  it('that drops a run without a word leaves it to be interrupted [DEV-12, DEV-14, SCRIPT-12]', async () => {
    const clock = createTestClock()
    const gateway = await start(clock)
    const runId = await gateway.play({ delta: 'a' }, { crash: true })
    await streamed(gateway, (await gateway.inState(runId, 'running')).conversation_id)
    await poll(async () => gateway.worker.status().heldRuns === 0)
    for (const [ms, state] of [
      [SETTINGS.leaseMs, 'reconciling'],
      [SETTINGS.reconcileMs, 'interrupted'],
    ] as const) {
      clock.pass(ms)
      await advanceDueWork(gateway.context)
      expect(await gateway.find(runId)).toMatchObject({ state })
    }
    expect(await gateway.find(runId)).toMatchObject({ result: { text: 'a' } })
  })

  it('keeps its lease as long as it executes [DEV-11]', async () => {
    const clock = createTestClock()
    const { play, inState, find, context, workerId } = await start(clock)
    const runId = await play({ hang: true })
    await inState(runId, 'running')
    for (let lease = 0; lease < 3; lease += 1) {
      clock.pass(SETTINGS.leaseMs - 1)
      await poll(async () => {
        const [process] = await database.db.query<{ until: Date }>(PROCESS, [workerId])
        return process?.until.getTime() === clock.now().getTime() + SETTINGS.leaseMs
      })
      await advanceDueWork(context)
      expect(await find(runId)).toMatchObject({ state: 'running' })
    }
  })
})

onPostgres('several device workers', (database) => {
  describe('on one device', () => {
    it('execute each run once, and the runs of a conversation in order [DEV-10, RUN-43]', async () => {
      const service = await newService(database.db, systemClock.now())
      const gateways = await Promise.all([
        startGateway(database.db, service),
        startGateway(database.openAnother(), service),
        startGateway(database.openAnother(), service),
      ])
      const [first] = gateways
      if (first === undefined) throw new Error('there are three')
      const conversations = await Promise.all(Array.from({ length: 8 }, () => first.converse()))
      const runs = await Promise.all(
        conversations.flatMap((conversationId) =>
          ['one', 'two', 'three'].map((text) => first.send(conversationId, { text })),
        ),
      )
      for (const runId of runs) expect(await first.ended(runId)).toMatchObject({ state: 'succeeded' })
      for (const conversationId of conversations) {
        const log = await first.events(conversationId)
        const started = log.filter(({ type }) => type === 'run.started').map(({ runId }) => runId)
        expect(new Set(started).size).toBe(3)
        expect(started.length).toBe(3)
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
        let executing: string | null = null
        for (const { type, runId } of log) {
          if (type === 'run.started') {
            expect(executing).toBeNull()
            executing = runId
          }
          if (type === 'run.completed') executing = null
        }
      }
    })
  })
})
