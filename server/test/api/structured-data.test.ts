import type { ConversationList, Problem } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { createWorkerDevice, openWorker } from '../support/played-worker.ts'
import { publishService, publishVersion } from '../support/publish-service.ts'
import { onGateways } from '../support/running-gateway.ts'

const ORDER = {
  type: 'object',
  required: ['order'],
  properties: { order: { type: 'string', maxLength: 9 }, script: true },
}

onGateways('a service with schemas', (running) => {
  const client = () => running.client()
  const publish = (body: object) => publishService(running, { assistant: { type: 'script' }, ...body })
  const converse = async (endpointId: string) =>
    (await client().createConversation({ endpoint_id: endpointId })).body.conversation_id

  test('refuses direct runs whose input breaks its input_schema, and creates nothing', async () => {
    const { endpoint_id: endpointId } = await publish({ input_schema: ORDER })
    const direct = (data: object) =>
      client().post<Problem>(`/api/v1/agent-endpoints/${endpointId}/runs`, { input: { data } }, 'direct-1')
    expect(await direct({ order: 4711 })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', errors: [{ pointer: '/input/data/order' }] },
    })
    expect((await direct({ order: '4711' })).status).toBe(202)
    const list = await client().request<ConversationList>('GET', `/api/v1/conversations?endpoint_id=${endpointId}`)
    expect(list.body.conversations).toHaveLength(1)
  })

  test('checks the input of a conversation against the schema of its version', async () => {
    const { endpoint_id: endpointId } = await publish({})
    const before = await converse(endpointId)
    const published = await publishVersion(running, endpointId, { input_schema: ORDER })
    expect(published).toMatchObject({ binding_version: 2, input_schema: ORDER, output_schema: null })
    expect((await client().send(before, { text: 'x' })).status).toBe(202)
    expect((await client().send(await converse(endpointId), { text: 'x' })).status).toBe(400)
  })

  test('checks the output of workers in other processes against its output_schema', async () => {
    const device = await createWorkerDevice(running, 'typed')
    await publishVersion(running, device.endpointId, { output_schema: ORDER, context_activities: true })
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
    ['of another draft', { $schema: 'http://json-schema.org/draft-04/schema#' }],
    ['with an invalid pattern', { pattern: '(' }],
  ])('is not published with a schema %s [ACT-10]', async (_, schema) => {
    const body = { device_id: 'dev_test', output_schema: schema }
    expect(await running.operator.request('POST', '/admin/v1/apps/app_test/endpoints', { body })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/output_schema', message: expect.stringContaining('draft 2020-12') }] },
    })
  })
})
