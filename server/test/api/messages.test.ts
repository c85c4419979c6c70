import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { KEYS } from '../support/bootstrap-file.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

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
  },
  WITHOUT_WORKER,
)
