import { randomUUID } from 'node:crypto'
import type { Conversation, ConversationList } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways(
  'resetting a conversation',
  (running) => {
    const device = playDevice(running)
    const begin = async (more: object = {}) => {
      await device.beat()
      const client = running.client({ subject: randomUUID() })
      const { body } = await client.createConversation({ endpoint_id: 'ep_script', ...more })
      return { client, id: body.conversation_id }
    }
    const conversationOf = async (client: Client): Promise<Conversation | undefined> =>
      (await client.request<ConversationList>('GET', '/api/v1/conversations?endpoint_id=ep_script')).body
        .conversations[0]
    const problem = (status: number, code: string) => ({ status, body: { code } })
    /** A conversation that is resetting: one run executes, and its stop is not confirmed. */
    const beginResetting = async (more: object = {}) => {
      const { client, id } = await begin(more)
      const executing = await device.take((await client.send(id, { text: 'executing' })).body.run_id)
      await device.stream(executing, 'half an answer')
      const queued = (await client.send(id, { text: 'queued' })).body.run_id
      const { body: control } = await client.reset(id, 1, 'cancel_and_reset')
      return { client, id, executing, queued, control }
    }

    test('answers 202 with the control response, and has succeeded at once where nothing is unfinished [RESET-01, RESET-09, RESET-16]', async () => {
      const { client, id } = await begin()
      const { status, body } = await client.reset(id, 1)
      expect(status).toBe(202)
      expect(body).toEqual({
        operation_id: expect.stringMatching(/^op_/),
        state: 'succeeded',
        ref: { conversation_id: id, generation: 2 },
      })
    })

    test('needs the current generation [RESET-02]', async () => {
      const { client, id } = await begin()
      const reset = (body: object) => client.post(`/api/v1/conversations/${id}/reset`, body)
      for (const body of [{}, ...['1', 0, 1.5].map((given) => ({ expected_generation: given }))])
        expect(await reset(body)).toMatchObject(problem(400, 'INVALID_REQUEST'))
      expect(await client.reset(id, 2)).toMatchObject(problem(409, 'GENERATION_CONFLICT'))
      await client.reset(id, 1)
      expect(await client.reset(id, 1)).toMatchObject(problem(409, 'GENERATION_CONFLICT'))
      expect((await client.snapshot(id)).body.generation).toBe(2)
    })

    test('takes reject and cancel_and_reset as its policy, and no other [RESET-03]', async () => {
      const { client, id } = await begin()
      for (const policy of ['stop', 'REJECT', ''])
        expect(await client.reset(id, 1, policy)).toMatchObject(problem(400, 'INVALID_REQUEST'))
      expect((await client.reset(id, 1, 'reject')).body.state).toBe('succeeded')
      expect((await client.reset(id, 2, 'cancel_and_reset')).body.state).toBe('succeeded')
    })

    test('is 409 BUSY without a policy, and with reject, while anything is executing or queued, and stops nothing [RESET-04, RESET-05, ERR-10]', async () => {
      const { client, id } = await begin()
      const { run_id: runId } = (await client.send(id, { text: 'x' })).body
      const refuse = async () => {
        const before = (await client.snapshot(id)).body
        for (const policy of [undefined, 'reject'])
          expect(await client.reset(id, 1, policy)).toMatchObject(problem(409, 'BUSY'))
        expect((await client.snapshot(id)).body).toEqual(before)
      }
      await refuse()
      const run = await device.take(runId)
      await refuse()
      await device.report(run, { state: 'succeeded' })
      expect((await client.reset(id, 1)).body.state).toBe('succeeded')
    })

    test('with cancel_and_reset cancels what is unfinished, and advances when all of it has stopped [RESET-06, RESET-07, RESET-10, RESET-17, CONV-12, CONV-23]', async () => {
      const { client, id, executing, queued, control } = await beginResetting()
      expect(control).toEqual({
        operation_id: control.operation_id,
        state: 'stopping',
        ref: { conversation_id: id, generation: 1 },
      })
      expect((await client.run(queued)).body.state).toBe('cancelled')
      expect((await client.run(executing.runId)).body.state).toBe('cancelling')
      expect((await client.operation(control.operation_id)).body).toEqual(control)
      expect((await client.snapshot(id)).body.generation).toBe(1)
      await device.report(executing, { state: 'cancelled' })
      expect((await client.run(executing.runId)).body.state).toBe('cancelled')
      const ref = { conversation_id: id, generation: 2 }
      expect((await client.operation(control.operation_id)).body).toMatchObject({ state: 'succeeded', ref })
      expect((await client.snapshot(id)).body.generation).toBe(2)
    })

    test('leaves other conversations alone [RESET-06]', async () => {
      const { client, id } = await begin()
      const other = (await client.createConversation()).body.conversation_id
      const { run_id: runId } = (await client.send(other, { text: 'x' })).body
      await client.reset(id, 1, 'cancel_and_reset')
      expect((await client.run(runId)).body.state).toBe('queued')
      expect((await client.snapshot(other)).body.generation).toBe(1)
    })

    test('refuses sends, resets and direct runs with 409 BUSY until it is over [RESET-18]', async () => {
      const { client, id, executing } = await beginResetting({ conversation_key: 'order-1' })
      const direct = () =>
        client.post('/api/v1/agent-endpoints/ep_script/runs', {
          input: { text: 'x' },
          conversation_key: 'order-1',
        })
      const busy = problem(409, 'BUSY')
      expect(await client.send(id, { text: 'x' })).toMatchObject(busy)
      for (const policy of ['reject', 'cancel_and_reset']) expect(await client.reset(id, 1, policy)).toMatchObject(busy)
      expect(await direct()).toMatchObject(busy)
      expect((await conversationOf(client))?.state).toBe('resetting')
      await device.report(executing, { state: 'cancelled' })
      expect((await client.send(id, { text: 'x' }, 2)).status).toBe(202)
      expect(await direct()).toMatchObject({ status: 202, body: { conversation_id: id, generation: 2 } })
    })

    test('fails when the stop is not confirmed in time: the generation stays, and messages are admitted again [RESET-19]', async () => {
      const { client, id, executing, control } = await beginResetting()
      await running.passTime(60_000)
      expect((await client.operation(control.operation_id)).body).toMatchObject({
        state: 'failed',
        ref: { generation: 1 },
      })
      expect(await conversationOf(client)).toMatchObject({ state: 'active', generation: 1 })
      await device.beat()
      expect(await client.send(id, { text: 'x' }, 1)).toMatchObject({ status: 202, body: { generation: 1 } })
      // What stops after all changes nothing about a reset that has failed.
      await device.report(executing, { state: 'cancelled' })
      expect((await client.operation(control.operation_id)).body.state).toBe('failed')
      expect((await client.snapshot(id)).body.generation).toBe(1)
    })

    test('keeps the conversation and its business key, and adopts the published version [RESET-08, RESET-12, RESET-13]', async () => {
      const { client, id } = await begin({ conversation_key: 'order-2' })
      const before = await conversationOf(client)
      const versions = '/admin/v1/apps/app_test/endpoints/ep_script/versions'
      const { body: published } = await running.operator.request('POST', versions, { body: {} })
      expect(Object(published).binding_version).toBe((before?.binding_version ?? 0) + 1)
      await client.reset(id, 1)
      expect(await conversationOf(client)).toEqual({
        ...before,
        generation: 2,
        binding_version: Object(published).binding_version,
      })
      const again = await client.createConversation({ endpoint_id: 'ep_script', conversation_key: 'order-2' })
      expect(again).toMatchObject(problem(409, 'BUSY'))
    })

    test('leaves messages and results of earlier generations as they are [RESET-15]', async () => {
      const { client, id } = await begin()
      const run = await device.take((await client.send(id, { text: 'question' })).body.run_id)
      await device.report(run, { state: 'succeeded', text: 'answer' })
      const read = async () => [(await client.history(id)).body, (await client.run(run.runId)).body]
      const before = await read()
      await client.reset(id, 1)
      expect(await read()).toEqual(before)
      const { messages, runs } = (await client.snapshot(id)).body
      expect([messages.length, runs]).toEqual([2, [expect.objectContaining({ generation: 1, state: 'succeeded' })]])
    })
  },
  WITHOUT_WORKER,
)
