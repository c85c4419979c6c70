import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import { describe, expect, test } from 'vitest'
import { cancelRun } from '../../src/gateway/cancel-run.ts'
import type { GatewayContext } from '../../src/gateway/context.ts'
import { createConversation } from '../../src/gateway/create-conversation.ts'
import { createRun } from '../../src/gateway/create-run.ts'
import { appendToReply, reportOutcome } from '../../src/gateway/execution.ts'
import { readConversation, readMessages, readOperation, readRun } from '../../src/gateway/read-records.ts'
import { resetConversation } from '../../src/gateway/reset-conversation.ts'
import { readEvents } from '../../src/store/history/events.ts'
import { answerOf } from '../admin/support.ts'
import { onPostgres } from '../support/databases/databases.ts'
import {
  createTestClock,
  intention,
  newConversation,
  newConversationId,
  sendText,
  takeWork,
  testContext,
} from '../support/gateway-fixture.ts'

const times = <Value>(n: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: n }, (_, index) => make(index))

/** Every event of a conversation, checked for gaps and repeats. */
const readLog = async ({ db }: GatewayContext, { appId }: Tenant, conversationId: string) => {
  const events = await readEvents(db, { appId, conversationId, runId: null }, 0, { events: 10_000, payloadBytes: 1e9 })
  expect(events.map(({ seq }) => seq)).toEqual(times(events.length, (index) => index + 1))
  return events
}

onPostgres('races between two processes of a gateway', (database) => {
  const clock = createTestClock()
  const setUp = async (settings: Parameters<typeof testContext>[2] = {}) => {
    const { context: one, ...fixture } = await newConversation(database.db, { clock, settings })
    const two = testContext(database.openAnother(), clock, settings)
    return { ...fixture, one, two, either: (index: number) => (index % 2 === 0 ? one : two) }
  }

  describe('equal requests', () => {
    test('one of 50 simultaneous equal sends is admitted, and all get its answer [IDEM-23, IDEM-24]', async () => {
      const { tenant, conversationId, one, either } = await setUp()
      const request = intention('the same')
      const outcomes = await Promise.all(times(50, (i) => sendText(either(i), tenant, conversationId, { request })))
      const bodies = outcomes.map((outcome) => (outcome.kind === 'admitted' ? outcome.body : outcome))
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
      expect(outcomes.filter((outcome) => outcome.kind === 'admitted' && !outcome.replayed)).toHaveLength(1)
      expect(await readLog(one, tenant, conversationId)).toHaveLength(1)
    })

    test('50 simultaneous equal creations create one conversation [IDEM-23, IDEM-24]', async () => {
      const { tenant, service, either } = await setUp()
      const request = intention('create')
      const body = { endpoint_id: service.endpointId, conversation_key: 'order-1' }
      const outcomes = await Promise.all(times(50, (i) => createConversation(either(i), tenant, request, body)))
      expect(new Set(outcomes.map((o) => (o.kind === 'admitted' ? o.body.conversation_id : o.code))).size).toBe(1)
      expect(outcomes.filter((o) => o.kind === 'admitted' && !o.replayed)).toHaveLength(1)
    })

    test('50 equal cancels create one operation, and 50 equal resets another one [IDEM-23, IDEM-24]', async () => {
      const { tenant, conversationId, one, either } = await setUp()
      const { run_id: runId } = answerOf(await sendText(one, tenant, conversationId))
      const [cancel, reset] = [intention('cancel'), intention('reset')]
      const cancels = await Promise.all(times(50, (i) => cancelRun(either(i), tenant, runId, cancel)))
      const resets = await Promise.all(
        times(50, (i) => resetConversation(either(i), tenant, conversationId, reset, { expected_generation: 1 })),
      )
      for (const outcomes of [cancels, resets])
        expect(new Set(outcomes.map((o) => (o.kind === 'admitted' ? o.body.operation_id : o.code))).size).toBe(1)
      expect(answerOf(await readConversation(one, tenant, conversationId)).generation).toBe(2)
    })

    test('50 direct runs with 50 keys and one conversation_key share one conversation [DIRECT-03]', async () => {
      const { tenant, service, either } = await setUp({ queuedPerConversation: 100 })
      const body = { input: { text: 'hi' }, conversation_key: 'order-2' }
      const outcomes = await Promise.all(
        times(50, (i) =>
          createRun(either(i), tenant, intention(i), {
            app: { pendingLimit: null },
            endpointId: service.endpointId,
            body,
          }),
        ),
      )
      expect(new Set(outcomes.map((o) => (o.kind === 'admitted' ? o.body.conversation_id : o.code))).size).toBe(1)
      expect(new Set(outcomes.map((o) => (o.kind === 'admitted' ? o.body.run_id : o.code))).size).toBe(50)
    })

    test('one key used for two targets at once is a conflict for one of them', async () => {
      const { tenant, conversationId, service, one, two } = await setUp()
      const other = await newConversationId(one, tenant, service.endpointId)
      for (let round = 0; round < 10; round += 1) {
        const key = `shared-${round}`
        const outcomes = await Promise.all([
          sendText(one, tenant, conversationId, { request: intention('a', key) }),
          sendText(two, tenant, other, { request: intention('b', key) }),
        ])
        expect(outcomes.map((o) => (o.kind === 'admitted' ? 'admitted' : o.code)).sort()).toEqual([
          'IDEMPOTENCY_CONFLICT',
          'admitted',
        ])
      }
    })
  })

  describe('limits', () => {
    test('50 sends at once leave exactly 20 queued [MSG-22]', async () => {
      const { tenant, conversationId, one, either } = await setUp()
      const outcomes = await Promise.all(times(50, (i) => sendText(either(i), tenant, conversationId)))
      expect(outcomes.filter((o) => o.kind === 'admitted')).toHaveLength(20)
      for (const o of outcomes)
        if (o.kind === 'refused') expect(o).toMatchObject({ code: 'QUEUE_FULL', retryAfterSeconds: 2 })
      expect(await readLog(one, tenant, conversationId)).toHaveLength(20)
    })

    test('sends to many conversations at once stop exactly at the limit of the application [MSG-23]', async () => {
      const { tenant, service, one, either } = await setUp({ pendingPerApp: 90 })
      const conversations = await Promise.all(times(30, () => newConversationId(one, tenant, service.endpointId)))
      const sends = times(150, (i) => sendText(either(i), tenant, conversations[i % 30] ?? ''))
      const outcomes = await Promise.all(sends)
      expect(outcomes.filter((o) => o.kind === 'admitted')).toHaveLength(90)
      for (const o of outcomes) if (o.kind === 'refused') expect(o.code).toBe('PENDING_LIMIT')
    })
  })

  test('sends racing a reset belong to the old generation or are refused', async () => {
    const { tenant, conversationId, one, either } = await setUp({ queuedPerConversation: 100 })
    for (let generation = 1; generation <= 8; generation += 1) {
      const sends = times(12, (i) => sendText(either(i), tenant, conversationId, { generation }))
      const body = { expected_generation: generation, busy_policy: 'cancel_and_reset' as const }
      const [reset, ...outcomes] = await Promise.all([
        resetConversation(either(generation), tenant, conversationId, intention(), body),
        ...sends,
      ])
      expect(reset).toMatchObject({
        kind: 'admitted',
        body: { state: 'succeeded', ref: { generation: generation + 1 } },
      })
      for (const outcome of outcomes) {
        if (outcome.kind === 'refused') expect(outcome.code).toBe('GENERATION_CONFLICT')
        else {
          const run = answerOf(await readRun(one, tenant, outcome.body.run_id))
          expect(run).toMatchObject({ generation, state: 'cancelled' })
        }
      }
    }
    await readLog(one, tenant, conversationId)
  })

  test('a cancel racing the completion reports the true outcome in either order [CANCEL-11, RUN-30]', async () => {
    const { tenant, conversationId, service, one, two } = await setUp()
    const seen = new Set<string>()
    for (let round = 0; round < 30; round += 1) {
      const { run_id: runId } = answerOf(await sendText(one, tenant, conversationId))
      await takeWork(one, { deviceId: service.deviceId, workerId: 'w', limit: 1 })
      const ref = { appId: tenant.appId, conversationId, runId }
      const [cancel, reported] = await Promise.all([
        cancelRun(two, tenant, runId, intention()),
        reportOutcome(one, ref, { state: 'succeeded', text: 'done' }),
      ])
      expect(reported).toBe(true)
      const { state, operation_id: operationId } = answerOf(cancel)
      seen.add(state)
      expect(answerOf(await readRun(one, tenant, runId))).toMatchObject({ state: 'succeeded' })
      expect(await readOperation(one, tenant, operationId)).toMatchObject({ body: { state: 'succeeded' } })
    }
    const events = await readLog(one, tenant, conversationId)
    expect(events.filter(({ type }) => type === 'run.completed')).toHaveLength(30)
    expect([...seen].every((state) => ['stopping', 'succeeded'].includes(state))).toBe(true)
  })

  test('workers competing for one conversation never execute two of its runs at once, and take them in order [RUN-03, RUN-42, RUN-43]', async () => {
    const { tenant, conversationId, service, one, either } = await setUp()
    const admitted: string[] = []
    for (let i = 0; i < 15; i += 1) admitted.push(answerOf(await sendText(one, tenant, conversationId)).run_id)
    const taken: string[] = []
    while (taken.length < admitted.length) {
      const claims = await Promise.all(
        times(6, (i) => takeWork(either(i), { deviceId: service.deviceId, workerId: `w${i}`, limit: 5 })),
      )
      const claimed = claims.flat()
      expect(claimed.length).toBeLessThanOrEqual(1)
      for (const { runId } of claimed) {
        taken.push(runId)
        await reportOutcome(one, { appId: tenant.appId, conversationId, runId }, { state: 'succeeded' })
      }
    }
    expect(taken).toEqual(admitted)
  })

  test('a reader racing writers sees every event once, in order, and snapshots that agree with the log [SNAP-16, SNAP-21, EVT-33, EVT-34]', async () => {
    const { tenant, conversationId, service, one, two } = await setUp({ queuedPerConversation: 1000 })
    let writing = true
    const write = async () => {
      for (let i = 0; i < 25; i += 1) {
        await Promise.all([sendText(one, tenant, conversationId), sendText(two, tenant, conversationId)])
        const [run] = await takeWork(two, { deviceId: service.deviceId, workerId: 'w', limit: 1 })
        if (run === undefined) continue
        const target = { appId: tenant.appId, conversationId, runId: run.runId, messageId: newId('msg') }
        await appendToReply(two, target, [
          { place: 0, index: 0, text: 'a' },
          { place: 1, index: 1, text: 'b' },
        ])
        await reportOutcome(two, target, { state: 'succeeded' })
      }
      writing = false
    }
    const seqs: number[] = []
    const follow = async () => {
      for (;;) {
        const more = writing
        const log = { appId: tenant.appId, conversationId, runId: null }
        const page = await readEvents(one.db, log, seqs.at(-1) ?? 0, { events: 7, payloadBytes: 1e6 })
        seqs.push(...page.map(({ seq }) => seq))
        if (!more && page.length === 0) return
      }
    }
    const compareSnapshots = async () => {
      while (writing) {
        const { watermark, runs, messages } = answerOf(await readConversation(two, tenant, conversationId))
        const log = { appId: tenant.appId, conversationId, runId: null }
        const events = await readEvents(two.db, log, 0, { events: 10_000, payloadBytes: 1e9 })
        const upTo = events.filter(({ seq }) => seq <= watermark)
        const ended = upTo.filter(({ type }) => type === 'run.completed').length
        expect(runs.filter(({ state }) => state === 'succeeded')).toHaveLength(ended)
        const started = new Set(upTo.map(({ runId }) => runId))
        expect(new Set(runs.map(({ run_id }) => run_id))).toEqual(started)
        for (const message of messages.filter(({ role }) => role === 'assistant')) {
          const deltas = upTo.filter(
            (event) => event.messageId === message.message_id && event.type === 'assistant.delta',
          )
          expect(message.content.text).toBe(deltas.map(({ payload }) => JSON.parse(payload).text).join(''))
        }
      }
    }
    await Promise.all([write(), follow(), compareSnapshots()])
    expect(seqs).toEqual(times(seqs.length, (i) => i + 1))
    expect(seqs.length).toBe((await readLog(one, tenant, conversationId)).length)
    const history = await readMessages(one, tenant, conversationId, { limit: 100 })
    expect(answerOf(history).messages.length).toBeGreaterThan(0)
  })
})
