import type { Endpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Admission, Problem, Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { KEYS } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { ended } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways('resource IDs in an input', (running) => {
  test('that are unknown or repeated are refused, each at its place, and nothing is admitted [RES-02, RES-19, RES-22]', async () => {
    const client = running.client()
    const { conversation_id: id } = (await client.createConversation()).body
    const before = (await client.snapshot(id)).body
    const [one, two] = [`res_${'1'.repeat(32)}`, `res_${'2'.repeat(32)}`]
    const routes = [
      { path: `/api/v1/conversations/${id}/messages`, more: { expected_generation: 1 } },
      { path: '/api/v1/agent-endpoints/ep_script/runs', more: {} },
    ]
    const cases = [
      { ids: [one], pointers: ['/input/resource_ids/0'] },
      { ids: [one, two], pointers: ['/input/resource_ids/0', '/input/resource_ids/1'] },
      { ids: [one, one], pointers: ['/input/resource_ids/1'] },
    ]
    for (const { path, more } of routes)
      for (const { ids, pointers } of cases) {
        const answer = await client.post<Problem>(path, { ...more, input: { text: 'with files', resource_ids: ids } })
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
        expect(answer.body.errors?.map(({ pointer }) => pointer)).toEqual(pointers)
      }
    expect((await client.snapshot(id)).body).toEqual(before)
    const list = await client.request<{ conversations: unknown[] }>(
      'GET',
      '/api/v1/conversations?endpoint_id=ep_script',
    )
    expect(list.body.conversations).toHaveLength(1)
  })

  const attach = async (client: Client, contentType = 'text/plain', content: string | null = 'hello') => {
    const declared = { filename: 'file', content_type: contentType, size: 5 }
    const { resource_id: id } = (await client.post<Resource>('/api/v1/resources', declared)).body
    if (content !== null) await client.request('PUT', `/api/v1/resources/${id}/content`, { rawBody: content })
    return id
  }
  const refusals = async (client: Client, ids: readonly string[], endpointId = 'ep_script') => {
    const { conversation_id: id } = (await client.createConversation({ endpoint_id: endpointId })).body
    const input = { text: 'with files', resource_ids: ids }
    const answers = [
      await client.post<Problem>(`/api/v1/conversations/${id}/messages`, { expected_generation: 1, input }),
      await client.post<Problem>(`/api/v1/agent-endpoints/${endpointId}/runs`, { input }),
      await client.post<Problem>(`/api/v1/agent-endpoints/${endpointId}/runs`, { conversation_key: id, input }),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    expect((await client.snapshot(id)).body.messages).toEqual([])
    return answers.map(({ body: { request_id: _, ...problem } }) => problem)
  }

  test('that are ready, of accepted types and the tenant’s own are used, five at most [MSG-12, MSG-13, RES-02]', async () => {
    const client = running.client()
    const types = ['text/plain', 'TEXT/CSV', 'text/plain; charset=utf-8', 'text/html', 'text/x']
    const ids = await Promise.all(types.map((type) => attach(client, type)))
    const { conversation_id: id } = (await client.createConversation()).body
    expect((await client.send(id, { resource_ids: ids })).status).toBe(202)
    const run = await client.post<Admission>('/api/v1/agent-endpoints/ep_script/runs', { input: { resource_ids: ids } })
    expect(run.status).toBe(202)
    const { messages } = (await client.history(run.body.conversation_id)).body
    expect(messages[0]?.content).toEqual({ resource_ids: ids })
    const [spare = ''] = await Promise.all([attach(client)])
    expect((await client.send(id, { resource_ids: [...ids, spare] })).status).toBe(400)
  })

  test('that are not ready, or of a type that the service does not accept, are refused at their place [RES-21, RES-23, MSG-13]', async () => {
    const client = running.client()
    const ids = [await attach(client), await attach(client, 'image/png'), await attach(client, 'text/plain', null)]
    for (const { errors } of await refusals(client, ids))
      expect(errors).toEqual([
        { pointer: '/input/resource_ids/1', message: 'is image/png; the service accepts text/*' },
        { pointer: '/input/resource_ids/2', message: 'is not ready: its content has not been uploaded' },
      ])
  })

  test('of another subject or application read like unknown ones [RES-20, RES-24, GEN-14]', async () => {
    const client = running.client()
    const foreign = [
      await attach(running.client({ subject: 'subject-2' })),
      await attach(running.client({ key: KEYS.otherApp })),
    ]
    const unknown = await refusals(client, [`res_${'3'.repeat(32)}`])
    for (const id of foreign) expect(await refusals(client, [id])).toEqual(unknown)
  })

  test('are judged by the version that the conversation is bound to [MSG-13]', async () => {
    const client = running.client()
    const { body: service } = await running.operator.request<Endpoint>('POST', '/admin/v1/apps/app_test/endpoints', {
      body: { device_id: 'dev_test', accepts: ['image/*'] },
    })
    const { conversation_id: id } = (await client.createConversation({ endpoint_id: service.endpoint_id })).body
    const versions = `/admin/v1/apps/app_test/endpoints/${service.endpoint_id}/versions`
    expect((await running.operator.request('POST', versions, { body: { accepts: ['text/*'] } })).status).toBe(201)
    const [image, text] = [await attach(client, 'image/png'), await attach(client)]
    expect((await client.send(id, { resource_ids: [text] })).status).toBe(400)
    expect((await client.send(id, { resource_ids: [image] })).status).toBe(202)
    await expect.poll(async () => (await client.reset(id, 1)).status).toBe(202)
    expect((await client.send(id, { resource_ids: [image] }, 2)).status).toBe(400)
    expect((await client.send(id, { resource_ids: [text] }, 2)).status).toBe(202)
  })

  test('of a replayed request matter no more: the first answer stands although the attachment is gone', async () => {
    const client = running.client()
    const resourceId = await attach(client)
    const { conversation_id: id } = (await client.createConversation()).body
    const first = await client.send(id, { resource_ids: [resourceId] }, 1, 'with-attachment')
    await ended(client, first.body.run_id)
    expect((await client.request('DELETE', `/api/v1/resources/${resourceId}`)).status).toBe(204)
    const again = await client.send(id, { resource_ids: [resourceId] }, 1, 'with-attachment')
    expect([again.status, again.body]).toEqual([202, first.body])
    expect((await client.send(id, { resource_ids: [resourceId] })).status).toBe(400)
  })
})
