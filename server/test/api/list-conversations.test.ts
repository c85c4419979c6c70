import type { Conversation, ConversationList } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

const list = (client: Client, query: Readonly<Record<string, string | number>> = { endpoint_id: 'ep_script' }) =>
  client.request<ConversationList>(
    'GET',
    `/api/v1/conversations?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`,
  )

const create = async (client: Client, body: Readonly<Record<string, unknown>>): Promise<Conversation> =>
  (await client.createConversation(body)).body

onGateways('the list of conversations', (running) => {
  test('is in the order of created_at, whatever the clocks of other machines say [LIST-07]', async () => {
    const client = running.client({ subject: 'ordered' })
    const made: Conversation[] = []
    for (const ms of [0, 10_000, -5000, -1, 3]) {
      running.clock.pass(ms)
      made.push(await create(client, { endpoint_id: 'ep_script' }))
    }
    running.clock.pass(5000)
    const newestFirst = made.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    expect((await list(client)).body.conversations).toEqual(newestFirst)
  })

  test('by a key holds the conversation of that key, subject and service [LIST-14]', async () => {
    const client = running.client({ subject: 'keyed' })
    const key = { endpoint_id: 'ep_script', conversation_key: 'order-1' }
    const wanted = await create(client, key)
    await create(client, { ...key, conversation_key: 'order-2' })
    await create(client, { ...key, endpoint_id: 'ep_echo' })
    await create(running.client({ subject: 'other' }), key)
    const find = async (query: Readonly<Record<string, string>>) => (await list(client, query)).body.conversations
    expect(await find(key)).toEqual([wanted])
    expect(await find({ ...key, before: wanted.conversation_id })).toEqual([])
    expect(await find({ ...key, conversation_key: 'order-3' })).toEqual([])
  })
})
