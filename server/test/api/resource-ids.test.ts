import type { Endpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways('resource IDs in an input', (running) => {
  const attach = async (client: Client, contentType = 'text/plain', content: string | null = 'hello') => {
    const declared = { filename: 'file', content_type: contentType, size: 5 }
    const { resource_id: id } = (await client.post<Resource>('/api/v1/resources', declared)).body
    if (content !== null) await client.request('PUT', `/api/v1/resources/${id}/content`, { rawBody: content })
    return id
  }

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
})
