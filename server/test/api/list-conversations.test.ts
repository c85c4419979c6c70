import type { Conversation, ConversationList } from '@conversation-gateway/openapi/generated/gateway-closed'
import { beforeAll, describe, expect, test } from 'vitest'
import { NOBODY } from '../support/api-routes.ts'
import { KEYS } from '../support/bootstrap-file.ts'
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
  /** Conversations of one millisecond have no order among them. */
  const awaitNextMillisecond = (): void => running.clock.pass(1)

  test('holds the records of the device’s conversations of this application and subject, newest first, whatever their service [LIST-01, LIST-02, LIST-05, LIST-06, LIST-07]', async () => {
    const client = running.client({ subject: 'lists' })
    const script = await create(client, { endpoint_id: 'ep_script', conversation_key: 'first' })
    awaitNextMillisecond()
    const echo = await create(client, { endpoint_id: 'ep_echo' })
    awaitNextMillisecond()
    const another = await create(client, { endpoint_id: 'ep_script' })
    for (const endpoint of ['ep_script', 'ep_echo'])
      expect(await list(client, { endpoint_id: endpoint })).toMatchObject({
        status: 200,
        body: { conversations: [another, echo, script] },
      })
    expect((await list(client)).body).toEqual({ conversations: [another, echo, script] })
  })

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

  test('shows no conversation of another device, subject or application [LIST-03, GEN-14]', async () => {
    const client = running.client({ subject: 'alone' })
    await create(client, { endpoint_id: 'ep_second' })
    await create(running.client({ subject: 'somebody-else' }), { endpoint_id: 'ep_script' })
    const stranger = running.client({ key: KEYS.otherApp, subject: 'alone' })
    await create(stranger, { endpoint_id: 'ep_other' })
    expect((await list(client)).body).toEqual({ conversations: [] })
    const own = await create(client, { endpoint_id: 'ep_script' })
    expect((await list(client)).body).toEqual({ conversations: [own] })
  })

  test('shows the state and the generation that a conversation has now [LIST-05, CONV-12]', async () => {
    const client = running.client({ subject: 'now' })
    const { conversation_id: id } = await create(client, { endpoint_id: 'ep_script' })
    await client.reset(id, 1)
    expect((await list(client)).body.conversations).toMatchObject([
      { conversation_id: id, generation: 2, state: 'active' },
    ])
  })

  test('needs a service of the application [LIST-01, LIST-08]', async () => {
    const client = running.client()
    expect(await list(client, {})).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', errors: [{ pointer: 'endpoint_id' }] },
    })
    expect((await list(client, { endpoint_id: 'ep_other' })).status).toBe(404)
  })

  test('goes on before a conversation of this caller, and of nobody else [LIST-04, LIST-13]', async () => {
    const client = running.client({ subject: 'paging' })
    const mine = await create(client, { endpoint_id: 'ep_script' })
    const foreign = await create(running.client({ subject: 'not-paging' }), { endpoint_id: 'ep_script' })
    const before = (id: string) => list(client, { endpoint_id: 'ep_script', before: id })
    expect(await before(mine.conversation_id)).toMatchObject({ status: 200, body: { conversations: [] } })
    for (const id of [foreign.conversation_id, NOBODY.conversation_id, 'nonsense'])
      expect(await before(id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  describe('when it is long', () => {
    const COUNT = 105
    let client: Client
    let newestFirst: string[]
    beforeAll(async () => {
      client = running.client({ subject: 'many' })
      const made = await Promise.all(Array.from({ length: COUNT }, () => create(client, { endpoint_id: 'ep_script' })))
      newestFirst = made
        .map(({ conversation_id }) => conversation_id)
        .sort()
        .reverse()
    })
    const page = async (query: Readonly<Record<string, string | number>>): Promise<string[]> =>
      (await list(client, { endpoint_id: 'ep_script', ...query })).body.conversations.map(
        ({ conversation_id }) => conversation_id,
      )

    test('has pages of 50, of the limit asked for, and of 100 at most [LIST-09, LIST-10]', async () => {
      expect(await page({})).toEqual(newestFirst.slice(0, 50))
      for (const [limit, count] of [
        [1, 1],
        [99, 99],
        [100, 100],
        [101, 100],
        [200, 100],
      ] as const)
        expect([limit, await page({ limit })]).toEqual([limit, newestFirst.slice(0, count)])
      for (const limit of [0, 201, -1, '1.5', 'all', '']) {
        const { status, body } = await list(client, { endpoint_id: 'ep_script', limit })
        expect([limit, status, body]).toMatchObject([
          limit,
          400,
          { code: 'INVALID_REQUEST', errors: [{ pointer: 'limit' }] },
        ])
      }
    })

    test('shows each conversation once to who walks its pages, until an empty one [LIST-11, LIST-12]', async () => {
      const walked: string[] = []
      for (;;) {
        const last = walked.at(-1)
        const next = await page({ limit: 40, ...(last === undefined ? {} : { before: last }) })
        if (next.length === 0) break
        walked.push(...next)
        // What is created meanwhile is newer than every page that follows.
        if (walked.length === 40) await create(client, { endpoint_id: 'ep_script' })
      }
      expect(walked).toEqual(newestFirst)
    })
  })
})
