import type { Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { completed, ended, script } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver, pointersOf, question, refusalOf } from '../support/webhook-sender.ts'

onGateways('an incoming webhook', (running) => {
  const subject = () => running.client({ subject: 'order-system' })
  const attach = async (client: Client, contentType = 'text/plain') => {
    const declared = { filename: 'a', content_type: contentType, size: 5 }
    const { resource_id: id } = (await client.post<Resource>('/api/v1/resources', declared)).body
    await client.request('PUT', `/api/v1/resources/${id}/content`, { rawBody: 'hello' })
    return id
  }

  test('admits a message of its conversation, found or created by business key [HOOK-03, HOOK-04, HOOK-10, HOOK-14, HOOK-20, HOOK-28, HOOK-29, HOOK-45, HOOK-63, GEN-01]', async () => {
    const integration = await createIntegration(running)
    const first = await deliver(running, integration, question('one', 'order-1'))
    expect(first.status).toBe(202)
    expect(first.body).toEqual({
      conversation_id: expect.stringMatching(/^conv_/),
      generation: 1,
      message_id: expect.stringMatching(/^msg_/),
      run_id: expect.stringMatching(/^run_/),
      state: 'queued',
      event_cursor: 1,
    })
    const second = await deliver(running, integration, question('two', 'order-1'))
    const other = await deliver(running, integration, question('three', 'order-2'))
    expect(second.body.conversation_id).toBe(first.body.conversation_id)
    expect(other.body.conversation_id).not.toBe(first.body.conversation_id)
    expect(await ended(subject(), second.body.run_id)).toMatchObject({ state: 'succeeded', result: { text: 'two' } })
    expect(
      (await subject().snapshot(first.body.conversation_id)).body.messages.map(({ content }) => content.text),
    ).toEqual(expect.arrayContaining(['one', 'two']))
  })

  test('new creates a conversation with each event, whatever keys and IDs it carries [HOOK-09, HOOK-18, HOOK-19, HOOK-11, HOOK-12, HOOK-75]', async () => {
    const integration = await createIntegration(running, {
      action: 'new',
      data_field: 'order',
      resource_ids_field: 'files',
      conversation_id_field: 'conversation_id',
    })
    const file = await attach(subject())
    const event = { ...question('hi', 'order-1'), files: [file], conversation_id: 'conv_1' }
    const [one, two] = [await deliver(running, integration, event), await deliver(running, integration, event)]
    expect([one.status, two.status]).toEqual([202, 202])
    expect(one.body.conversation_id).not.toBe(two.body.conversation_id)
    const { messages } = (await subject().history(one.body.conversation_id)).body
    expect(messages[0]?.content).toEqual({ text: 'hi', data: { id: 'order-1' }, resource_ids: [file] })
    const list = await subject().request<{ conversations: object[] }>(
      'GET',
      '/api/v1/conversations?endpoint_id=ep_script',
    )
    expect(
      list.body.conversations.find((each) => 'business_key' in each && each.business_key === 'conv_1'),
    ).toBeUndefined()
  })

  test('message by ID continues a conversation at its current generation and no other [HOOK-13, HOOK-21, HOOK-22, HOOK-64, HOOK-42]', async () => {
    const integration = await createIntegration(running, {
      match: 'id',
      conversation_id_field: 'conversation.id',
      generation_field: 'conversation.generation',
    })
    const { conversation_id: id } = (await subject().createConversation()).body
    const event = (conversation: object) => ({ ...question('hello'), conversation })
    const accepted = await deliver(running, integration, event({ id, generation: 1 }))
    expect(accepted).toMatchObject({ status: 202, body: { conversation_id: id, generation: 1, state: 'queued' } })
    expect(refusalOf(await deliver(running, integration, event({ id, generation: 2 })))).toEqual([
      409,
      'GENERATION_CONFLICT',
    ])
    for (const generation of ['1', 1.5, 0, null, undefined, true, [1]]) {
      const answer = await deliver(running, integration, event({ id, generation }))
      expect([generation, ...refusalOf(answer), ...pointersOf(answer)]).toEqual([
        generation,
        400,
        'INVALID_REQUEST',
        '/conversation/generation',
      ])
    }
    const foreign = (await running.client().createConversation()).body.conversation_id
    const otherService = (await subject().createConversation({ endpoint_id: 'ep_echo' })).body.conversation_id
    for (const unknown of [foreign, otherService, `conv_${'0'.repeat(32)}`, 'x y', ''])
      expect(refusalOf(await deliver(running, integration, event({ id: unknown, generation: 1 })))).toEqual([
        404,
        'NOT_FOUND',
      ])
  })

  test('reset resets a conversation by its busy policy, and its operation can be queried [HOOK-23, HOOK-24, HOOK-65, HOOK-42]', async () => {
    const configuration = { action: 'reset', conversation_id_field: 'id', generation_field: 'generation' }
    const careful = await createIntegration(running, configuration)
    const firm = await createIntegration(running, { ...configuration, busy_policy: 'cancel_and_reset' })
    const { conversation_id: id } = (await subject().createConversation()).body
    await subject().send(id, script({ hang: true }))
    const event = { type: 'order.question', id, generation: 1 }
    expect(refusalOf(await deliver(running, careful, event))).toEqual([409, 'BUSY'])
    const accepted = await deliver(running, firm, event)
    expect(accepted).toMatchObject({
      status: 202,
      body: { operation_id: expect.stringMatching(/^op_/), ref: { conversation_id: id } },
    })
    expect(await completed(subject(), accepted.body.operation_id)).toMatchObject({
      state: 'succeeded',
      ref: { generation: 2 },
    })
    expect(refusalOf(await deliver(running, firm, event))).toEqual([409, 'GENERATION_CONFLICT'])
    const otherService = (await subject().createConversation({ endpoint_id: 'ep_echo' })).body.conversation_id
    expect(refusalOf(await deliver(running, firm, { ...event, id: otherService }))).toEqual([404, 'NOT_FOUND'])
  })

  test('cancel reaches the runs of its service and subject and no others [HOOK-25, HOOK-65, HOOK-66]', async () => {
    const integration = await createIntegration(running, { action: 'cancel', run_id_field: 'run' })
    const start = async (client: Client, endpointId = 'ep_script') => {
      const { conversation_id: id } = (await client.createConversation({ endpoint_id: endpointId })).body
      return (await client.send(id, script({ hang: true }))).body.run_id
    }
    const run = await start(subject())
    const accepted = await deliver(running, integration, { type: 'order.question', run })
    expect(accepted).toMatchObject({ status: 202, body: { operation_id: expect.stringMatching(/^op_/) } })
    expect((await ended(subject(), run)).state).toBe('cancelled')
    const others = [await start(running.client()), await start(subject(), 'ep_second'), `run_${'0'.repeat(32)}`]
    for (const other of others)
      expect(refusalOf(await deliver(running, integration, { type: 'order.question', run: other }))).toEqual([
        404,
        'NOT_FOUND',
      ])
    expect((await running.client().run(others[0] ?? '')).body.state).toBe('running')
    await running.client().cancel(others[0] ?? '')
    await subject().cancel(others[1] ?? '')
  })

  test('acts for the subject of its configuration and for no subject in the body [HOOK-08, HOOK-27, HOOK-37]', async () => {
    const integration = await createIntegration(running, { subject: 'fixed-subject' })
    const event = {
      ...question(),
      subject: 'subject-1',
      model: 'big',
      cwd: '/',
      permissions: ['*'],
      input: { text: 'other' },
    }
    const { status, body } = await deliver(running, integration, event, {
      headers: { 'x-service-subject': 'subject-1' },
    })
    expect(status).toBe(202)
    expect((await running.client().run(body.run_id)).status).toBe(404)
    const fixed = running.client({ subject: 'fixed-subject' })
    expect((await fixed.history(body.conversation_id)).body.messages[0]?.content).toEqual({
      text: 'Where is my order?',
    })
  })

  test('has to start within five minutes [HOOK-61]', async () => {
    const integration = await createIntegration(running, { endpoint_id: 'ep_second' })
    const { body } = await deliver(running, integration, question())
    const read = {
      name: 'test_start_before',
      text: `select extract(epoch from start_before - created_at)::integer as seconds from runs where run_id = $1`,
    }
    expect(await running.gateway.context.db.query(read, [body.run_id])).toEqual([{ seconds: 300 }])
  })

  test('accepts its event types exactly as they are, texts only [HOOK-06, HOOK-07]', async () => {
    const integration = await createIntegration(running, { event_type_field: 'meta.type', event_types: ['7', 'a.b'] })
    const typed = (type: unknown) => deliver(running, integration, { ...question(), meta: { type } })
    for (const type of ['7', 'a.b']) expect((await typed(type)).status).toBe(202)
    for (const type of [7, 'A.B', 'a.b ', ['a.b'], null, undefined, true, {}])
      expect([type, ...refusalOf(await typed(type))]).toEqual([type, 403, 'PERMISSION_DENIED'])
    expect(refusalOf(await deliver(running, integration, { ...question(), meta: 'a.b' }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
  })

  test('needs at least one input that is not empty, and null is nothing [HOOK-26, HOOK-43, HOOK-59]', async () => {
    const integration = await createIntegration(running, {
      action: 'new',
      data_field: 'order.data',
      resource_ids_field: 'files',
    })
    const event = (message: unknown, data?: unknown, files?: unknown) => ({
      type: 'order.question',
      customer: { message },
      order: { data },
      files,
    })
    for (const empty of [event(null), event(''), event(undefined, {}, []), { type: 'order.question', customer: null }])
      expect(refusalOf(await deliver(running, integration, empty))).toEqual([400, 'INVALID_REQUEST'])
    for (const enough of [event('x'), event(null, { a: 1 }), event('', { a: 1 }, null), { ...event('x'), order: null }])
      expect((await deliver(running, integration, enough)).status).toBe(202)
  })

  test('is refused at the place of each value of a wrong type or beyond a limit, and nothing is coerced [HOOK-43, HOOK-60, HOOK-16, HOOK-17, RES-19]', async () => {
    const integration = await createIntegration(running, {
      data_field: 'order.data',
      resource_ids_field: 'order.files',
    })
    const file = await attach(subject(), 'image/png')
    const cases: [change: object, pointers: string[]][] = [
      [{ customer: { message: 7 } }, ['/customer/message']],
      [{ customer: { message: ['x'] } }, ['/customer/message']],
      [{ customer: { message: 'x'.repeat(65_537) } }, ['/customer/message']],
      [{ customer: 'x' }, ['/customer']],
      [{ customer: [{ message: 'x' }] }, ['/customer']],
      [{ order: { id: 7 } }, ['/order/id']],
      [{ order: { id: '' } }, ['/order/id']],
      [{ order: { id: ' x' } }, ['/order/id']],
      [{ order: { id: 'x'.repeat(257) } }, ['/order/id']],
      [{ order: {} }, ['/order/id']],
      [{ order: { id: null } }, ['/order/id']],
      [{ order: { id: 'a', data: [] } }, ['/order/data']],
      [{ order: { id: 'a', data: 'x' } }, ['/order/data']],
      [{ order: { id: 'a', files: 'res_1' } }, ['/order/files']],
      [{ order: { id: 'a', files: [7] } }, ['/order/files/0']],
      [{ order: { id: 'a', files: ['r', 'r'] } }, ['/order/files/1']],
      [{ order: { id: 'a', files: ['1', '2', '3', '4', '5', '6'] } }, ['/order/files']],
      [{ order: { id: 'a', files: ['res_nobody', file] } }, ['/order/files/0', '/order/files/1']],
    ]
    for (const [change, pointers] of cases) {
      const answer = await deliver(running, integration, { ...question(), ...change })
      expect([change, ...refusalOf(answer), [...new Set(pointersOf(answer))]]).toEqual([
        change,
        400,
        'INVALID_REQUEST',
        pointers,
      ])
    }
  })
})
