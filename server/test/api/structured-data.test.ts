import type { Endpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import type { AgentEndpoint, Problem } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { createWorkerDevice, openWorker } from '../support/played-worker.ts'
import { onGateways } from '../support/running-gateway.ts'

const ORDER = {
  type: 'object',
  required: ['order'],
  properties: { order: { type: 'string', maxLength: 9 }, script: true },
}

onGateways('a service with schemas', (running) => {
  const client = () => running.client()
  const publish = (body: object) =>
    running.operator.request<Endpoint & Problem>('POST', '/admin/v1/apps/app_test/endpoints', {
      body: { device_id: 'dev_test', assistant: { type: 'script' }, ...body },
    })
  const converse = async (endpointId: string) =>
    (await client().createConversation({ endpoint_id: endpointId })).body.conversation_id

  test('refuses input that breaks its input_schema, naming each place, before anything is admitted', async () => {
    const { body: service } = await publish({ input_schema: ORDER })
    const id = await converse(service.endpoint_id)
    const send = (input: object) => client().send(id, input)
    const refused = await send({ data: { order: 'far too long' } })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', errors: [{ pointer: '/input/data/order' }] },
    })
    expect((await send({ text: 'no data' })).status).toBe(400)
    const { messages, watermark } = (await client().snapshot(id)).body
    expect([messages, watermark]).toEqual([[], 0])
    expect((await send({ data: { order: '4711' } })).status).toBe(202)

    const key = 'direct-1'
    const direct = (data: object) =>
      client().post<Problem>(`/api/v1/agent-endpoints/${service.endpoint_id}/runs`, { input: { data } }, key)
    expect(await direct({ order: 4711 })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/input/data/order' }] },
    })
    expect((await direct({ order: '4711' })).status).toBe(202)
    const list = await client().request<{ conversations: unknown[] }>(
      'GET',
      `/api/v1/conversations?endpoint_id=${service.endpoint_id}`,
    )
    expect(list.body.conversations).toHaveLength(2)
  })

  test('keeps what conversations are bound to when another version is published', async () => {
    const { body: service } = await publish({})
    const before = await converse(service.endpoint_id)
    const published = await running.operator.request<Endpoint>(
      'POST',
      `/admin/v1/apps/app_test/endpoints/${service.endpoint_id}/versions`,
      { body: { input_schema: ORDER } },
    )
    expect(published.body).toMatchObject({ binding_version: 2, input_schema: ORDER, output_schema: null })
    expect((await client().send(before, { text: 'x' })).status).toBe(202)
    expect((await client().send(await converse(service.endpoint_id), { text: 'x' })).status).toBe(400)
    const shown = await client().request<AgentEndpoint>('GET', `/api/v1/agent-endpoints/${service.endpoint_id}`)
    expect(shown.body).toEqual({
      endpoint_id: service.endpoint_id,
      name: null,
      binding_version: 2,
      accepts: [],
      input_schema: ORDER,
      output_schema: null,
    })
    expect((await client().request('GET', '/api/v1/agent-endpoints/ep_nobody')).status).toBe(404)
  })

  test('checks what workers elsewhere answer', async () => {
    const device = await createWorkerDevice(running, 'typed')
    await running.operator.request('POST', `/admin/v1/apps/app_test/endpoints/${device.endpointId}/versions`, {
      body: { output_schema: ORDER, context_activities: true },
    })
    const worker = await openWorker(running.baseUrl, device.key)
    const id = await converse(device.endpointId)
    const take = async () => {
      await client().send(id, { text: 'x' })
      return (await worker.take()).run_id
    }
    const first = await take()
    const call = { activity_id: 'a', kind: 'tool', name: 'find', state: 'succeeded' }
    await worker.end(first, 0, { state: 'succeeded', data: { order: '1' } }, [{ activity: call }])
    const second = await take()
    const context = await running
      .client({ key: device.key })
      .request('GET', `/worker/v1/runs/${second}/context?session_id=${worker.sessionId}`)
    expect(context.body).toMatchObject({
      messages: [{ role: 'user' }, { data: { order: '1' }, activities: [call] }],
    })
    expect(await worker.end(second, 0, { state: 'succeeded' })).toMatchObject({ body: { state: 'failed' } })
    expect((await client().run(second)).body.result?.error?.code).toBe('OUTPUT_INVALID')
  })

  test.each([
    ['of no known type', { type: 'thing' }, 'draft 2020-12'],
    ['with a remote reference', { $ref: 'https://example.com/order.json' }, 'references stay within'],
    ['with a reference to nothing', { $ref: '#/$defs/order' }, 'references stay within'],
    ['of more than 64 KiB', { description: 'x'.repeat(65_536) }, '65536'],
    ['of another draft', { $schema: 'http://json-schema.org/draft-04/schema#' }, 'draft 2020-12'],
    ['with a pattern that is none', { pattern: '(' }, 'draft 2020-12'],
  ])('is not published with a schema %s', async (_what, schema, reason) => {
    for (const name of ['input_schema', 'output_schema'])
      expect(await publish({ [name]: schema })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST', errors: [{ pointer: `/${name}`, message: expect.stringContaining(reason) }] },
      })
  })
})
