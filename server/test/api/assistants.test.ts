import type { MessageInput, Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { ended } from '../support/client.ts'
import type { ModelServer } from '../support/model-server.ts'
import { DONE, frame, startModelServer, stream } from '../support/model-server.ts'
import { publishService } from '../support/publish-service.ts'
import { onGateways } from '../support/running-gateway.ts'
import { uploadAttachment } from '../support/upload-attachment.ts'

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
  'the assistants of services',
  (running) => {
    const publish = (assistant: object) => publishService(running, { accepts: ['*/*'], assistant })
    const converse = async (client: Client, endpointId: string) =>
      (await client.createConversation({ endpoint_id: endpointId })).body.conversation_id
    const executed = async (client: Client, id: string, input: MessageInput) =>
      ended(client, (await client.send(id, input)).body.run_id)

    test('of type openai fail a run with a truncated answer unless the service accepts it, and keeps the text [ASST-13, ASST-14]', async () => {
      const client = running.client()
      const ask = async (more: object) => {
        const service = await publish({ type: 'openai', base_url: model.baseUrl, model: 'cut', ...more })
        return executed(client, await converse(client, service.endpoint_id), { text: 'x' })
      }
      const error = { code: 'ANSWER_TRUNCATED', retryable: false }
      expect(await ask({})).toMatchObject({ state: 'failed', result: { text: 'Hello', error } })
      expect((await ask({ accept_truncated: true })).result).toEqual({ text: 'Hello', truncated: true })
    })

    test('of type module read the attachments of their runs, and create attachments that only their tenant can read', async () => {
      const client = running.client()
      const service = await publish({ type: 'module', path: './modules/files.js' })
      const id = await converse(client, service.endpoint_id)
      const given = [
        await uploadAttachment(client, { content: 'one' }),
        await uploadAttachment(client, { content: 'two' }),
      ]
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
      const other = running.client({ subject: 'subject-2' })
      expect((await other.request('GET', `/api/v1/resources/${made[0]}`)).status).toBe(404)
      expect((await executed(client, id, { resource_ids: given, text: '../up' })).result?.error?.code).toBe(
        'ASSISTANT_ERROR',
      )
    })

    test('of type openai send the model the attached texts and images of all messages', async () => {
      const client = running.client()
      const service = await publish({ type: 'openai', base_url: model.baseUrl, model: 'small-1' })
      const id = await converse(client, service.endpoint_id)
      const earlier = model.calls.length
      const files = [
        await uploadAttachment(client, { content: '{"a":1}', contentType: 'application/json' }),
        await uploadAttachment(client, { content: 'binary', contentType: 'image/png' }),
      ]
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
