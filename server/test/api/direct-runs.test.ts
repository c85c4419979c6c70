import { randomUUID } from 'node:crypto'
import type { Admission, ConversationList } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const HOUR_MS = 3_600_000

onGateways(
  'creating a run directly',
  (running) => {
    const device = playDevice(running)
    const input = { text: 'hello' }
    const run = (
      client: Client,
      body: object,
      { endpointId = 'ep_script', key }: { endpointId?: string; key?: string } = {},
    ) => client.post<Admission>(`/api/v1/agent-endpoints/${endpointId}/runs`, { input, ...body }, key)
    /** Every test has a subject of its own, so that its conversations can be counted. */
    const begin = async () => {
      await device.beat()
      return running.client({ subject: randomUUID() })
    }
    const conversations = async (client: Client) =>
      (await client.request<ConversationList>('GET', '/api/v1/conversations?endpoint_id=ep_script')).body.conversations
    const problem = (status: number, code: string, pointer?: string) => ({
      status,
      body: { code, ...(pointer === undefined ? {} : { errors: [{ pointer }] }) },
    })

    test('answers 202 with the admission of a queued run, which is executed like any other [DIRECT-01, DIRECT-07]', async () => {
      const client = await begin()
      const startBefore = new Date(running.clock.now().getTime() + HOUR_MS).toISOString()
      const created = await run(client, { conversation_key: 'order-1', start_before: startBefore })
      expect(created).toMatchObject({ status: 202 })
      expect(created.body).toEqual({
        conversation_id: expect.stringMatching(/^conv_/),
        generation: 1,
        message_id: expect.stringMatching(/^msg_/),
        run_id: expect.stringMatching(/^run_/),
        state: 'queued',
        event_cursor: 1,
      })
      const { conversation_id: id, run_id: runId } = created.body
      expect((await client.history(id)).body.messages).toMatchObject([{ run_id: runId, role: 'user', content: input }])
      const again = await run(client, { conversation_key: 'order-1', expected_generation: 1 })
      expect(again).toMatchObject({ status: 202, body: { conversation_id: id, generation: 1 } })
      await device.report(await device.take(runId), { state: 'succeeded', text: 'done' })
      expect((await client.run(runId)).body).toMatchObject({ state: 'succeeded', result: { text: 'done' } })
    })

    test('refuses what a message would refuse, and creates nothing [DIRECT-01, DIRECT-04, DIRECT-08, DIRECT-09]', async () => {
      const client = await begin()
      for (const [body, expected] of [
        [{ input: undefined }, problem(400, 'INVALID_REQUEST')],
        [{ input: { text: '' } }, problem(400, 'INVALID_REQUEST', '/input')],
        [{ input: { text: 'x'.repeat(65_537) } }, problem(400, 'INVALID_REQUEST', '/input/text')],
        [{ model: 'x' }, problem(400, 'UNKNOWN_FIELD', '/model')],
        [{ busy_policy: 'reject' }, problem(400, 'UNKNOWN_FIELD', '/busy_policy')],
        [{ expected_generation: 1 }, problem(400, 'INVALID_REQUEST', '/expected_generation')],
      ] as const)
        expect(await run(client, body)).toMatchObject(expected)
      const keyless = await client.request('POST', '/api/v1/agent-endpoints/ep_script/runs', { body: { input } })
      expect(keyless).toMatchObject(problem(400, 'INVALID_REQUEST', 'Idempotency-Key'))
      expect(await conversations(client)).toEqual([])
    })

    test('without conversation_key creates a conversation each time, but not for a replay [DIRECT-02]', async () => {
      const client = await begin()
      const first = await run(client, {}, { key: 'first' })
      const second = await run(client, {}, { key: 'second' })
      expect((await run(client, {}, { key: 'first' })).body).toEqual(first.body)
      const ids = (await conversations(client)).map(({ conversation_id }) => conversation_id)
      expect(ids).toEqual([second.body.conversation_id, first.body.conversation_id])
      expect(new Set(ids).size).toBe(2)
    })

    test('with conversation_key finds or creates the conversation of this application, subject and service [DIRECT-03]', async () => {
      const client = await begin()
      const key = { conversation_key: 'order-3' }
      const own = (await run(client, key)).body.conversation_id
      expect((await run(client, key)).body.conversation_id).toBe(own)
      expect(await conversations(client)).toMatchObject([{ conversation_id: own, business_key: 'order-3' }])
      const created = await client.createConversation({ endpoint_id: 'ep_script', conversation_key: 'made-before' })
      expect((await run(client, { conversation_key: 'made-before' })).body.conversation_id).toBe(
        created.body.conversation_id,
      )
      const others = [
        await run(await begin(), key),
        await run(client, key, { endpointId: 'ep_echo' }),
        await run(client, { conversation_key: 'order-4' }),
      ]
      const ids = new Set([own, ...others.map(({ body }) => body.conversation_id)])
      expect(ids.size).toBe(4)
    })

    test('with expected_generation is 409 GENERATION_CONFLICT where the key has no conversation, or one of another generation [DIRECT-05, DIRECT-10]', async () => {
      const client = await begin()
      const key = { conversation_key: 'order-5' }
      const conflict = problem(409, 'GENERATION_CONFLICT')
      expect(await run(client, { ...key, expected_generation: 1 })).toMatchObject(conflict)
      expect(await conversations(client)).toEqual([])
      const { conversation_id: id } = (await run(client, key)).body
      expect(await run(client, { ...key, expected_generation: 2 })).toMatchObject(conflict)
      await client.reset(id, 1, 'cancel_and_reset')
      expect(await run(client, { ...key, expected_generation: 1 })).toMatchObject(conflict)
      expect(await run(client, { ...key, expected_generation: 2 })).toMatchObject({ status: 202 })
      expect((await run(client, key)).body).toMatchObject({ conversation_id: id, generation: 2 })
      expect((await client.snapshot(id)).body.runs).toHaveLength(3)
    })

    test('takes a start_before within 24 hours [DIRECT-06, LIMIT-10]', async () => {
      const client = await begin()
      const at = (ms: number) => ({ start_before: new Date(running.clock.now().getTime() + ms).toISOString() })
      for (const ms of [1, 24 * HOUR_MS]) expect((await run(client, at(ms))).status).toBe(202)
      for (const ms of [0, -1, 24 * HOUR_MS + 1])
        expect(await run(client, at(ms))).toMatchObject(problem(400, 'INVALID_REQUEST', '/start_before'))
      expect(await conversations(client)).toHaveLength(2)
    })

    test('without start_before waits for its start for 24 hours [DIRECT-11]', async () => {
      const client = await begin()
      const { run_id: runId } = (await run(client, {})).body
      await running.passTime(24 * HOUR_MS - 1)
      expect((await client.run(runId)).body.state).toBe('queued')
      await running.passTime(1)
      expect((await client.run(runId)).body.state).toBe('expired')
    })
  },
  WITHOUT_WORKER,
)
