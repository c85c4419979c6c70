import { randomUUID } from 'node:crypto'
import type { ConversationList } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { ended, script } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways('publishing a service', (running) => {
  /** A new service of the application, published as version 1 of the echo assistant. */
  const newService = async () => {
    const endpointId = `ep_${randomUUID()}`
    const path = '/admin/v1/apps/app_test/endpoints'
    const post = async (where: string, body: object) => {
      const { status } = await running.operator.request('POST', where, { body })
      expect(status).toBe(201)
    }
    await post(path, { endpoint_id: endpointId, device_id: 'dev_test', assistant: { type: 'echo' } })
    return { endpointId, publish: (version: object) => post(`${path}/${endpointId}/versions`, version) }
  }
  const bindingOf = async (client: Client, endpointId: string, id: string): Promise<number | undefined> =>
    (
      await client.request<ConversationList>('GET', `/api/v1/conversations?endpoint_id=${endpointId}`)
    ).body.conversations.find(({ conversation_id }) => conversation_id === id)?.binding_version
  const textOf = async (client: Client, runId: string) => (await ended(client, runId)).result?.text

  test('leaves a conversation with the version that it has until a reset adopts the current one; a new one begins with it [VER-02, VER-03, VER-09, GEN-12, CONV-16]', async () => {
    const client = running.client({ subject: 'bound' })
    const { endpointId, publish } = await newService()
    const { conversation_id: id } = (await client.createConversation({ endpoint_id: endpointId })).body
    await publish({ assistant: { type: 'script' }, compatibility: 'compatible' })
    expect(await bindingOf(client, endpointId, id)).toBe(1)

    // What the two assistants make of one input tells which of them the run got.
    const input = script({ succeed: { text: 'scripted' } })
    const before = await client.send(id, input)
    expect(before.status).toBe(202)
    expect(await textOf(client, before.body.run_id)).toBe(JSON.stringify(input.data))
    expect((await client.reset(id, 1)).body.state).toBe('succeeded')
    expect(await bindingOf(client, endpointId, id)).toBe(2)
    const after = await client.send(id, input, 2)
    expect(await textOf(client, after.body.run_id)).toBe('scripted')

    const fresh = (await client.createConversation({ endpoint_id: endpointId })).body
    expect(fresh).toMatchObject({ binding_version: 2, generation: 1 })
  })
})
