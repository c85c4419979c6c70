import { expect, it } from 'vitest'
import { startTestGateway } from '../../test/support/test-gateway.ts'

it('returns the conversation of a key or creates it, once for concurrent calls', async () => {
  const { gateway, client } = startTestGateway()
  const order = { endpoint_id: 'ep_test', conversation_key: 'order 1/ä' }
  const all = await Promise.all(Array.from({ length: 10 }, () => client.conversations.getOrCreate(order)))
  const later = await client.conversations.getOrCreate(order)
  expect(new Set([...all, later].map(({ conversation_id }) => conversation_id)).size).toBe(1)
  expect(gateway.conversations).toHaveLength(1)
  const other = await client.conversations.getOrCreate({ ...order, conversation_key: 'order 2' })
  expect(other.business_key).toBe('order 2')
  // The existing conversation took one request.
  await client.conversations.getOrCreate(order)
  expect(gateway.requests.at(-2)?.operation).toBe('createConversation')
})
