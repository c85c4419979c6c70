import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { KEYS } from '../support/bootstrap-file.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { publishService, publishVersion } from '../support/publish-service.ts'
import { onGateways } from '../support/running-gateway.ts'
import { uploadAttachment } from '../support/upload-attachment.ts'

onGateways(
  'sending a message',
  (running) => {
    const device = playDevice(running)
    const begin = async (endpointId = 'ep_script') => {
      await device.beat()
      const client = running.client()
      return { client, id: (await client.createConversation({ endpoint_id: endpointId })).body.conversation_id }
    }

    test('keeps the text of its data: history, snapshot and worker get the members in the sent order', async () => {
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
      // The same content in another order is a replay.
      const reordered =
        '{"expected_generation":1,"input":{"data":{"a":"\\u00e9","9":null,"b":{"1":[100],"2":"A"},"10":1}}}'
      expect((await send(reordered)).body).toEqual(body)
      expect(await send(rawBody.replace('1e2', '1e3'))).toMatchObject({
        status: 409,
        body: { code: 'IDEMPOTENCY_CONFLICT' },
      })
    })

    test('accepts the attachment types of the version of its conversation [MSG-13]', async () => {
      const { endpoint_id: endpointId } = await publishService(running, { accepts: ['image/*'] })
      const { client, id } = await begin(endpointId)
      await publishVersion(running, endpointId, { accepts: ['text/*'] })
      const image = await uploadAttachment(client, { contentType: 'image/png' })
      const text = await uploadAttachment(client)
      expect((await client.send(id, { resource_ids: [text] })).status).toBe(400)
      expect((await client.send(id, { resource_ids: [image] })).status).toBe(202)
      expect((await client.reset(id, 1, 'cancel_and_reset')).status).toBe(202)
      expect((await client.send(id, { resource_ids: [image] }, 2)).status).toBe(400)
      expect((await client.send(id, { resource_ids: [text] }, 2)).status).toBe(202)
    })
  },
  WITHOUT_WORKER,
)
