import type { Endpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Admission, Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { KEYS } from '../support/bootstrap-file.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

onGateways(
  'sending a message',
  (running) => {
    const device = playDevice(running)
    const begin = async (endpointId = 'ep_script') => {
      await device.beat()
      const client = running.client()
      return { client, id: (await client.createConversation({ endpoint_id: endpointId })).body.conversation_id }
    }
    const problem = (status: number, code: string) => ({ status, body: { code } })

    test('keeps data as it was sent: history, snapshot, worker and replay show its members in their order', async () => {
      const { client, id } = await begin()
      const data = '{ "10": 1.0, "b": {"2":"\\u0041","1":[1e2]}, "9": null, "a": "é" }'
      const rawBody = `{"expected_generation":1,"input":{"data":${data}}}`
      const send = (body: string) =>
        client.request<Admission>('POST', `/api/v1/conversations/${id}/messages`, {
          rawBody: body,
          idempotencyKey: 'order',
        })
      const { body } = await send(rawBody)
      for (const path of [`/api/v1/conversations/${id}/messages`, `/api/v1/conversations/${id}`]) {
        const answer = await fetch(`${running.baseUrl}${path}`, {
          headers: { authorization: `Bearer ${KEYS.all}`, 'x-service-subject': 'subject-1' },
        })
        expect(await answer.text()).toContain(`"content":{"data":${data}}`)
      }
      expect((await device.take(body.run_id)).data).toBe(data)
      // The same content in another order is the same intention.
      const reordered =
        '{"expected_generation":1,"input":{"data":{"a":"\\u00e9","9":null,"b":{"1":[100],"2":"A"},"10":1}}}'
      expect((await send(reordered)).body).toEqual(body)
      expect(await send(rawBody.replace('1e2', '1e3'))).toMatchObject(problem(409, 'IDEMPOTENCY_CONFLICT'))
    })

    test('accepts any later moment of the window as start_before [MSG-18, DIRECT-11]', async () => {
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

    test('judges attachments by the version that the conversation is bound to [MSG-13]', async () => {
      const path = '/admin/v1/apps/app_test/endpoints'
      const { body: service } = await running.operator.request<Endpoint>('POST', path, {
        body: { device_id: 'dev_test', accepts: ['image/*'] },
      })
      const { client, id } = await begin(service.endpoint_id)
      const attach = async (contentType: string) => {
        const declared = { filename: 'file', content_type: contentType, size: 5 }
        const { resource_id } = (await client.post<Resource>('/api/v1/resources', declared)).body
        await client.request('PUT', `/api/v1/resources/${resource_id}/content`, { rawBody: 'hello' })
        return resource_id
      }
      const body = { accepts: ['text/*'] }
      expect((await running.operator.request('POST', `${path}/${service.endpoint_id}/versions`, { body })).status).toBe(
        201,
      )
      const [image, text] = [await attach('image/png'), await attach('text/plain')]
      expect((await client.send(id, { resource_ids: [text] })).status).toBe(400)
      expect((await client.send(id, { resource_ids: [image] })).status).toBe(202)
      expect((await client.reset(id, 1, 'cancel_and_reset')).status).toBe(202)
      expect((await client.send(id, { resource_ids: [image] }, 2)).status).toBe(400)
      expect((await client.send(id, { resource_ids: [text] }, 2)).status).toBe(202)
    })
  },
  WITHOUT_WORKER,
)
