import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver, question, refusalOf } from '../support/webhook-sender.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A lease that outlasts the stop window, however far the clock is moved between two heartbeats. */
const settings = { ...SETTINGS, leaseMs: 600_000 }

onGateways(
  'to the millisecond',
  (running) => {
    const device = playDevice(running)
    const begin = async (subject: string = randomUUID()) => {
      await device.beat()
      const client = running.client({ subject })
      return { client, id: (await client.createConversation()).body.conversation_id }
    }
    const start = async () => {
      const { client, id } = await begin()
      const run = await device.take((await client.send(id, { text: 'x' })).body.run_id)
      return { client, run, read: async () => (await client.run(run.runId)).body }
    }
    const runDirectly = (client: Client) =>
      client.post<{ run_id: string }>('/api/v1/agent-endpoints/ep_script/runs', { input: { text: 'x' } })

    test('a device gets work until it has been offline for more than 30 seconds [DEV-02, DEV-04]', async () => {
      const { client, id } = await begin()
      running.clock.pass(29_999)
      expect((await client.send(id, { text: 'x' })).status).toBe(202)
      running.clock.pass(2)
      expect((await client.send(id, { text: 'x' })).status).toBe(503)
    })

    test('a stop has 60 seconds, and a run that nobody hears of is interrupted 60 seconds later [CANCEL-12, CANCEL-13]', async () => {
      const { client, run, read } = await start()
      const { operation_id: operationId } = (await client.cancel(run.runId)).body
      const operation = async () => (await client.operation(operationId)).body.state
      await running.passTime(MINUTE_MS - 1)
      expect([await operation(), (await read()).state]).toEqual(['stopping', 'cancelling'])
      await running.passTime(1)
      expect([await operation(), (await read()).state]).toEqual(['failed', 'reconciling'])
      await running.passTime(MINUTE_MS - 1)
      expect((await read()).state).toBe('reconciling')
      await running.passTime(1)
      expect((await read()).state).toBe('interrupted')
    })

    test('a device that falls silent leaves its run reconciling for 60 seconds [DEV-12, DEV-14]', async () => {
      const { run, read } = await start()
      await device.stream(run, 'half')
      await running.passTime(settings.leaseMs)
      expect((await read()).state).toBe('reconciling')
      await running.passTime(MINUTE_MS - 1)
      expect((await read()).state).toBe('reconciling')
      await running.passTime(1)
      expect(await read()).toMatchObject({ state: 'interrupted', result: { text: 'half' } })
    })

    test.each([
      {
        what: 'a message has five minutes to start [MSG-17]',
        ms: 5 * MINUTE_MS,
        admit: async (client: Client, id: string) => (await client.send(id, { text: 'x' })).body.run_id,
      },
      {
        what: 'a direct run has 24 hours to start [DIRECT-06]',
        ms: 24 * HOUR_MS,
        admit: async (client: Client) => (await runDirectly(client)).body.run_id,
      },
      {
        what: 'the run of a webhook has five minutes to start [HOOK-61]',
        ms: 5 * MINUTE_MS,
        admit: async () =>
          (await deliver(running, await createIntegration(running, { subject: 'in-time' }), question())).body.run_id,
        subject: 'in-time',
      },
    ])('$what', async ({ ms, admit, subject }) => {
      const { client, id } = await begin(subject)
      const runId = await admit(client, id)
      const stateOf = async () => (await client.run(runId)).body.state
      await running.passTime(ms - 1)
      expect(await stateOf()).toBe('queued')
      await running.passTime(1)
      expect(await stateOf()).toBe('expired')
    })

    test('start_before may be any later moment of the window [MSG-18, DIRECT-11]', async () => {
      const { client, id } = await begin()
      const at = (ms: number) => new Date(running.clock.now().getTime() + ms).toISOString()
      const message = (start_before: string) =>
        client.post(`/api/v1/conversations/${id}/messages`, {
          expected_generation: 1,
          input: { text: 'x' },
          start_before,
        })
      const direct = (start_before: string) =>
        client.post('/api/v1/agent-endpoints/ep_script/runs', { input: { text: 'x' }, start_before })
      for (const [ask, windowMs] of [
        [message, 5 * MINUTE_MS],
        [direct, 24 * HOUR_MS],
      ] as const)
        for (const [ms, status] of [
          [1, 202],
          [windowMs, 202],
          [0, 400],
          [-1, 400],
          [windowMs + 1, 400],
        ] as const)
          expect([ms, (await ask(at(ms))).status]).toEqual([ms, status])
    })

    test('a webhook may be 300 seconds old or early [SIG-21]', async () => {
      await device.beat()
      const integration = await createIntegration(running)
      const at = (seconds: number) => String(Math.floor(running.clock.now().getTime() / 1000) + seconds)
      for (const seconds of [-300, 300])
        expect((await deliver(running, integration, question(), { timestamp: at(seconds) })).status).toBe(202)
      for (const seconds of [-301, 301])
        expect(refusalOf(await deliver(running, integration, question(), { timestamp: at(seconds) }))).toEqual([
          401,
          'UNAUTHENTICATED',
        ])
    })
  },
  { ...WITHOUT_WORKER, settings },
)
