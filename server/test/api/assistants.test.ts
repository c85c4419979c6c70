import type { Endpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import type { MessageInput, Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { ended } from '../support/client.ts'
import type { ModelServer } from '../support/model-server.ts'
import { DONE, frame, startModelServer, stream } from '../support/model-server.ts'
import { onGateways } from '../support/running-gateway.ts'

let model: ModelServer
beforeAll(async () => {
  model = await startModelServer(async (response, { body }) => {
    const finish = Object(body).model === 'cut' ? 'length' : 'stop'
    await stream(response, [frame('Hel'), frame('lo'), frame(null, finish), DONE])
    response.end()
  })
})
afterAll(() => model.close())

onGateways(
  'the assistant of a service',
  (running) => {
    const publish = (assistant?: unknown) =>
      running.operator.request<Endpoint>('POST', '/admin/v1/apps/app_test/endpoints', {
        body: { device_id: 'dev_test', accepts: ['*/*'], ...(assistant === undefined ? {} : { assistant }) },
      })
    const converse = async (client: Client, endpointId = 'ep_script') =>
      (await client.createConversation({ endpoint_id: endpointId })).body.conversation_id
    const executed = async (client: Client, id: string, input: MessageInput, generation = 1) =>
      ended(client, (await client.send(id, input, generation)).body.run_id)

    test('openai fails for a truncated answer unless the service accepts it, and keeps its text [ASST-13, ASST-14]', async () => {
      const client = running.client()
      const ask = async (more: object) => {
        const { body: service } = await publish({ type: 'openai', base_url: model.baseUrl, model: 'cut', ...more })
        return executed(client, await converse(client, service.endpoint_id), { text: 'x' })
      }
      const error = { code: 'ANSWER_TRUNCATED', retryable: false }
      expect(await ask({})).toMatchObject({ state: 'failed', result: { text: 'Hello', error } })
      expect((await ask({ accept_truncated: true })).result).toEqual({ text: 'Hello', truncated: true })
    })

    const attach = async (client: Client, content: string, contentType = 'text/plain') => {
      const declared = { filename: 'notes.txt', content_type: contentType, size: Buffer.byteLength(content) }
      const { resource_id: id } = (await client.post<Resource>('/api/v1/resources', declared)).body
      await client.request('PUT', `/api/v1/resources/${id}/content`, { rawBody: content })
      return id
    }

    test('reads the attachments of its run, and its result names new ones, which the tenant can read', async () => {
      const client = running.client()
      const { body: service } = await publish({ type: 'module', path: './modules/files.js' })
      const id = await converse(client, service.endpoint_id)
      const given = [await attach(client, 'one'), await attach(client, 'two')]
      const run = await executed(client, id, { resource_ids: given })
      expect(run).toMatchObject({
        state: 'succeeded',
        result: { text: 'notes.txt (text/plain, 3) notes.txt (text/plain, 3) ' },
      })
      const made = run.result?.resource_ids ?? []
      expect(made).toHaveLength(2)
      const contents = await Promise.all(
        made.map((resourceId) => client.request('GET', `/api/v1/resources/${resourceId}/content`)),
      )
      expect(contents.map(({ body }) => body)).toEqual(['ONE', 'TWO'])
      const record = await client.request<Resource>('GET', `/api/v1/resources/${made[0]}`)
      expect(record.body).toMatchObject({ status: 'ready', subject: 'subject-1', size: 3, filename: 'notes.txt' })
      const stranger = running.client({ subject: 'subject-2' })
      expect((await stranger.request('GET', `/api/v1/resources/${made[0]}`)).status).toBe(404)
      expect((await executed(client, id, { resource_ids: given, text: '../up' })).result?.error?.code).toBe(
        'ASSISTANT_ERROR',
      )
    })

    test('openai passes on attached text and images, of this message and of earlier ones', async () => {
      const client = running.client()
      const { body: service } = await publish({ type: 'openai', base_url: model.baseUrl, model: 'small-1' })
      const id = await converse(client, service.endpoint_id)
      const earlier = model.calls.length
      const files = [await attach(client, '{"a":1}', 'application/json'), await attach(client, 'binary', 'image/png')]
      await executed(client, id, { text: 'read', resource_ids: files })
      await executed(client, id, { text: 'and now?' })
      const first = {
        role: 'user',
        content: [
          { type: 'text', text: 'read' },
          { type: 'text', text: 'Attachment notes.txt (application/json, 7 bytes):\n\n{"a":1}' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,YmluYXJ5' } },
        ],
      }
      expect(model.calls.slice(earlier).map(({ body }) => Object(body).messages)).toEqual([
        [first],
        [first, { role: 'assistant', content: 'Hello' }, { role: 'user', content: 'and now?' }],
      ])
    })
  },
  { environment: { MODEL_KEY: 'key-of-the-model' } },
)
