import { describe, expect, it } from 'vitest'
import { type CallOptions, withTestGateway } from './support/client.ts'

const clock = { now: new Date('2026-03-02T09:30:00.000Z') }
const { gateway, call, create, send } = withTestGateway({ now: () => clock.now })

const key = 'the-key'

/** Each operation that uses a key, with different content for the same key. */
const intentions: Record<string, () => Promise<{ first: CallOptions; other: CallOptions }>> = {
  createConversation: async () => ({
    first: { body: { endpoint_id: 'ep_a' } },
    other: { body: { endpoint_id: 'ep_b' } },
  }),
  sendMessage: async () => {
    const ids = { conversation_id: await create() }
    const body = { expected_generation: 1, input: { text: 'a' } }
    return { first: { ids, body }, other: { ids, body: { ...body, input: { text: 'b' } } } }
  },
  cancelRun: async () => {
    const conversation_id = await create()
    const run = async () => ({ run_id: (await send(conversation_id)).json.run_id })
    return { first: { ids: await run(), body: {} }, other: { ids: await run(), body: {} } }
  },
  resetConversation: async () => {
    const ids = { conversation_id: await create() }
    const body = { expected_generation: 1 }
    return { first: { ids, body }, other: { ids, body: { ...body, busy_policy: 'reject' } } }
  },
  createRun: async () => {
    const ids = { endpoint_id: 'ep_a' }
    return { first: { ids, body: { input: { text: 'a' } } }, other: { ids, body: { input: { text: 'b' } } } }
  },
  createResource: async () => {
    const body = { filename: 'a', content_type: 'text/plain', size: 1 }
    return { first: { body }, other: { body: { ...body, size: 2 } } }
  },
}

describe('the same key', () => {
  for (const [id, prepare] of Object.entries(intentions)) {
    it(`with the same content receives the original answer of ${id} again, without a second effect`, async () => {
      const { first } = await prepare()
      const original = await call(id, { ...first, key })
      const before = JSON.stringify(gateway.conversations)
      const replay = await call(id, { ...first, key })
      expect([replay.status, replay.text]).toEqual([original.status, original.text])
      expect(original.headers.get('idempotency-replayed')).toBeNull()
      expect(replay.headers.get('idempotency-replayed')).toBe('true')
      expect(JSON.stringify(gateway.conversations)).toBe(before)
    })

    it(`with other content is refused by ${id} with 409 IDEMPOTENCY_CONFLICT`, async () => {
      const { first, other } = await prepare()
      await call(id, { ...first, key })
      const conflict = await call(id, { ...other, key })
      expect([conflict.status, conflict.json.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    })
  }

  it('is unused after a refusal', async () => {
    const ids = { conversation_id: await create() }
    const body = { expected_generation: 2, input: { text: 'a' } }
    expect((await call('sendMessage', { ids, body, key })).json.code).toBe('GENERATION_CONFLICT')
    expect((await call('sendMessage', { ids, body: { ...body, expected_generation: 1 }, key })).status).toBe(202)
  })

  it('may be used by another subject for something else', async () => {
    const body = { endpoint_id: 'ep_a' }
    await call('createConversation', { body, key })
    const other = await call('createConversation', { body: { endpoint_id: 'ep_b' }, key, subject: 'another' })
    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([201, null])
  })

  it('is the same intention in any order of members and any white space', async () => {
    const original = await call('createConversation', { body: '{"endpoint_id":"ep","conversation_key":"k"}', key })
    const replay = await call('createConversation', { body: '{ "conversation_key": "k", "endpoint_id": "ep" }', key })
    expect(replay.text).toBe(original.text)
  })

  it('receives the original answer even if the state has changed since', async () => {
    const conversation_id = await create()
    const original = await send(conversation_id, 'a', { key })
    await call('resetConversation', { ids: { conversation_id }, body: { expected_generation: 1 } })
    clock.now = new Date(clock.now.getTime() + 3_600_000)
    const replay = await send(conversation_id, 'a', { key })
    expect([replay.status, replay.text]).toEqual([202, original.text])
  })

  it('can be used for another request after 7 days', async () => {
    const body = { endpoint_id: 'ep_a' }
    await call('createConversation', { body, key })
    clock.now = new Date(clock.now.getTime() + 7 * 86_400_000)
    const again = await call('createConversation', { body, key })
    expect(again.headers.get('idempotency-replayed')).toBeNull()
    expect(gateway.conversations).toHaveLength(2)
  })

  it('in concurrent requests has one effect', async () => {
    const body = { endpoint_id: 'ep_a' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('createConversation', { body, key })))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(gateway.conversations).toHaveLength(1)
  })
})
