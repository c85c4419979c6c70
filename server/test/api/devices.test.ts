import { randomUUID } from 'node:crypto'
import type { ConversationList, Problem } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

/** Of `ep_second` and no other service. */
const DEVICE = 'dev_second'

onGateways(
  'a device',
  (running) => {
    const device = playDevice(running, DEVICE)
    const begin = async () => {
      await device.beat()
      const client = running.client({ subject: randomUUID() })
      const id = (await client.createConversation({ endpoint_id: 'ep_second' })).body.conversation_id
      const conversations = async () =>
        (await client.request<ConversationList>('GET', '/api/v1/conversations?endpoint_id=ep_second')).body
          .conversations
      /** By both ways in. */
      const ask = async () => [
        await client.send(id, { text: 'x' }),
        await client.post('/api/v1/agent-endpoints/ep_second/runs', { input: { text: 'x' } }),
      ]
      const admit = async () => {
        for (const answer of await ask()) expect(answer.status).toBe(202)
      }
      const refuse = async (status: number, code: string) => {
        const read = async () => [(await client.snapshot(id)).body, await conversations()]
        const before = await read()
        for (const answer of await ask()) {
          expect(answer).toMatchObject({ status, body: { code } })
          if (status === 503) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
        }
        expect(await read()).toEqual(before)
      }
      return { client, id, admit, refuse }
    }
    const start = async () => {
      const { client, id } = await begin()
      const run = await device.take((await client.send(id, { text: 'x' })).body.run_id)
      return { client, id, run, stateOf: async (runId = run.runId) => (await client.run(runId)).body.state }
    }
    const move = async (name: 'pause' | 'resume' | 'disable' | 'enable') =>
      expect((await running.operator.request('POST', `/admin/v1/devices/${DEVICE}/${name}`)).status).toBe(200)

    test('that was never heard of gets no work [DEV-02, ERR-41, MSG-24, MSG-25]', async () => {
      const client = running.client()
      const { body } = await client.createConversation({ endpoint_id: 'ep_script' })
      const refused = await client.send(body.conversation_id, { text: 'x' })
      expect(refused).toMatchObject({ status: 503, body: { code: 'CAPABILITY_UNAVAILABLE' } })
      expect(refused.body).not.toHaveProperty('outcome')
      expect((await client.snapshot(body.conversation_id)).body).toMatchObject({ watermark: 0, messages: [], runs: [] })
    })

    test('gets work until it has been offline for more than 30 seconds, and again when it is back [DEV-02, DEV-04, DEV-05, ERR-16, ERR-39]', async () => {
      const { admit, refuse } = await begin()
      running.clock.pass(29_999)
      await admit()
      running.clock.pass(2)
      await refuse(503, 'CAPABILITY_UNAVAILABLE')
      await device.beat()
      await admit()
    })

    test('gets no work while admission is paused [DEV-01, MSG-24, MSG-25, ERR-16, ERR-39]', async () => {
      const { admit, refuse } = await begin()
      const pause = (paused: boolean) => running.operator.request('PUT', '/admin/v1/admission', { body: { paused } })
      await pause(true)
      await refuse(503, 'CAPABILITY_UNAVAILABLE')
      await pause(false)
      await admit()
    })

    test('gets no work while it is paused (503) or disabled (403) [DEV-06, DEV-07, AUTH-22, ERR-03, ERR-16, ERR-39]', async () => {
      const { admit, refuse } = await begin()
      await move('pause')
      await refuse(503, 'CAPABILITY_UNAVAILABLE')
      await move('resume')
      await admit()
      await move('disable')
      await refuse(403, 'PERMISSION_DENIED')
      await move('enable')
      await admit()
    })

    test('holds up new conversations too while admission is paused, but no replay, and a taken key is BUSY [ADMIN-14, REQ-13]', async () => {
      const client = running.client({ subject: 'paused' })
      const create = (key: string, conversation_key?: string) =>
        client.post<Problem>(
          '/api/v1/conversations',
          { endpoint_id: 'ep_second', ...(conversation_key === undefined ? {} : { conversation_key }) },
          key,
        )
      const pause = (paused: boolean) => running.operator.request('PUT', '/admin/v1/admission', { body: { paused } })
      expect((await create('before', 'order-1')).status).toBe(201)
      await pause(true)
      const refused = await create('meanwhile')
      expect(refused).toMatchObject({ status: 503, body: { code: 'CAPABILITY_UNAVAILABLE' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await create('before', 'order-1')).status).toBe(201)
      expect(await create('another', 'order-1')).toMatchObject({ status: 409, body: { code: 'BUSY' } })
      await pause(false)
      expect((await create('meanwhile')).status).toBe(201)
    })

    test('need not be there for a conversation to be created [DEV-08]', async () => {
      const { client } = await begin()
      const create = async () =>
        expect((await client.createConversation({ endpoint_id: 'ep_second' })).status).toBe(201)
      running.clock.pass(SETTINGS.deviceOfflineMs + 1)
      await create()
      await move('pause')
      await create()
      await move('disable')
      await create()
      await move('enable')
    })

    test('executes the services published on it, and no others [DEV-03]', async () => {
      const other = playDevice(running, 'dev_test')
      await other.beat()
      const { client, id } = await begin()
      const sent: string[] = [(await client.send(id, { text: 'x' })).body.run_id]
      for (const endpointId of ['ep_script', 'ep_echo']) {
        const { body } = await client.createConversation({ endpoint_id: endpointId })
        sent.push((await client.send(body.conversation_id, { text: 'x' })).body.run_id)
      }
      const taken = async (by: typeof device) =>
        (await by.takeAll()).map(({ runId }) => runId).filter((runId) => sent.includes(runId))
      expect(await taken(device)).toEqual(sent.slice(0, 1))
      expect((await taken(other)).sort()).toEqual(sent.slice(1).sort())
    })

    test('that goes away leaves work waiting, which goes on when it is back in time, and expires when it is not [DEV-09]', async () => {
      const { client, id } = await begin()
      const { run_id: runId } = (await client.send(id, { text: 'x' })).body
      const other = await client.createConversation({ endpoint_id: 'ep_second' })
      const startBefore = new Date(running.clock.now().getTime() + 60_000).toISOString()
      const body = { expected_generation: 1, input: { text: 'x' }, start_before: startBefore }
      const { run_id: lateId } = Object(
        (await client.post(`/api/v1/conversations/${other.body.conversation_id}/messages`, body)).body,
      )
      await running.passTime(60_000)
      expect((await client.send(id, { text: 'x' })).status).toBe(503)
      expect((await client.run(runId)).body).toMatchObject({ state: 'queued', delivery_state: 'waiting_device' })
      await device.beat()
      await device.report(await device.take(runId), { state: 'succeeded', text: 'done' })
      expect((await client.run(runId)).body).toMatchObject({ state: 'succeeded', delivery_state: 'device_received' })
      expect((await client.run(lateId)).body.state).toBe('expired')
    })

    test('may be served by several workers, of which one executes each run [DEV-10]', async () => {
      const { client } = await begin()
      const runIds: string[] = []
      for (let count = 0; count < 8; count += 1) {
        const { body } = await client.createConversation({ endpoint_id: 'ep_second' })
        runIds.push((await client.send(body.conversation_id, { text: 'x' })).body.run_id)
      }
      const workers = ['one', 'two', 'three'].map((name) => playDevice(running, DEVICE, name))
      const taken = (await Promise.all(workers.map((worker) => worker.takeAll()))).flat()
      const again = (await Promise.all(workers.map((worker) => worker.takeAll()))).flat()
      const own = [...taken, ...again].map(({ runId }) => runId).filter((runId) => runIds.includes(runId))
      expect(own.sort()).toEqual(runIds.sort())
    })

    test('holds a run as long as it renews its lease, which nobody else can do [DEV-11]', async () => {
      const { run, stateOf } = await start()
      for (let renewals = 0; renewals < 3; renewals += 1) {
        await running.passTime(SETTINGS.leaseMs - 1)
        expect(await device.renew(run)).toMatchObject([{ runId: run.runId, state: 'running' }])
      }
      expect(await playDevice(running, DEVICE, 'somebody else').renew(run)).toEqual([])
      await running.passTime(SETTINGS.leaseMs - 1)
      expect(await stateOf()).toBe('running')
      await running.passTime(1)
      expect(await stateOf()).toBe('reconciling')
    })

    test('that falls silent in the middle of a run leaves it reconciling for 60 seconds, and then interrupted [DEV-12, DEV-14]', async () => {
      const { client, run, stateOf } = await start()
      await device.stream(run, 'half')
      await running.passTime(SETTINGS.leaseMs)
      expect(await stateOf()).toBe('reconciling')
      await running.passTime(59_999)
      expect(await stateOf()).toBe('reconciling')
      await running.passTime(1)
      expect((await client.run(run.runId)).body).toMatchObject({ state: 'interrupted', result: { text: 'half' } })
    })

    test('that is back in time says what really happened [DEV-13]', async () => {
      for (const outcome of [
        { state: 'succeeded', text: 'done' },
        { state: 'failed', error: { code: 'BROKEN', message: 'It broke.', retryable: false } },
      ] as const) {
        const { client, run, stateOf } = await start()
        await running.passTime(SETTINGS.leaseMs)
        expect(await stateOf()).toBe('reconciling')
        expect(await device.report(run, outcome)).toBe(true)
        const result = outcome.state === 'failed' ? { error: outcome.error } : { text: outcome.text }
        expect((await client.run(run.runId)).body).toMatchObject({ state: outcome.state, result })
      }
    })

    test('that looks before the gateway knows that it is back is told of no stop, and goes on [DEV-13]', async () => {
      const { run, stateOf } = await start()
      await running.passTime(SETTINGS.leaseMs)
      expect(await device.look(run)).toMatchObject([{ state: 'reconciling', stopWanted: false }])
      expect(await device.renew(run)).toMatchObject([{ state: 'running', stopWanted: false }])
      expect(await stateOf()).toBe('running')
    })

    test('is told of a stop for as long as it is wanted, also beyond its window [CANCEL-12]', async () => {
      const { client, run } = await start()
      await client.cancel(run.runId)
      expect(await device.renew(run)).toMatchObject([{ state: 'cancelling', stopWanted: true }])
      await running.passTime(SETTINGS.stopMs)
      expect(await device.renew(run)).toMatchObject([{ state: 'reconciling', stopWanted: true }])
    })

    test('never executes a run for a second time [DEV-16]', async () => {
      const { client, id, stateOf } = await start()
      const { run_id: next } = (await client.send(id, { text: 'next' })).body
      const workers = [device, playDevice(running, DEVICE, 'a fresh worker')]
      const startable = async () =>
        (await Promise.all(workers.map((worker) => worker.takeAll())))
          .flat()
          .filter(({ conversationId }) => conversationId === id)
          .map(({ runId }) => runId)
      expect(await startable()).toEqual([])
      await running.passTime(SETTINGS.leaseMs)
      expect([await stateOf(), await startable()]).toEqual(['reconciling', []])
      await running.passTime(SETTINGS.reconcileMs)
      expect([await stateOf(), await startable()]).toEqual(['interrupted', [next]])
      expect(await startable()).toEqual([])
    })
  },
  WITHOUT_WORKER,
)
