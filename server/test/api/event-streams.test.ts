import { expect, test } from 'vitest'
import { onGateways } from '../support/running-gateway.ts'

onGateways('event streams', (running) => {
  const begin = async (subject: string) => {
    const client = running.client({ subject })
    const { conversation_id: id } = (await client.createConversation()).body
    return { client, id }
  }

  test('have no HEAD [SSE-35]', async () => {
    const { client, id } = await begin('looking')
    const { run_id } = (await client.send(id, { text: 'hello' })).body
    for (const path of [`/api/v1/conversations/${id}/events`, `/api/v1/runs/${run_id}/events`]) {
      const { status, headers } = await client.request('HEAD', path)
      expect([status, headers.get('allow')]).toEqual([405, 'GET'])
    }
  })
})
