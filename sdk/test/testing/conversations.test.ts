import { describe, expect, it } from 'vitest'
import { createTestGateway } from '../../src/testing/index.ts'
import { withTestGateway } from './support/client.ts'

const { gateway, call, create, send } = withTestGateway({
  apiKey: 'gk_test',
  endpointIds: ['ep_test', 'ep_other'],
  now: () => new Date('2026-03-02T09:30:00.000Z'),
  idSeed: '',
})

const codeOf = async (answer: ReturnType<typeof call>) => (await answer).json.code

describe('creating', () => {
  it('returns an active conversation of generation 1 with its conversation key', async () => {
    const body = { endpoint_id: 'ep_test', conversation_key: 'order-1' }
    expect((await call('createConversation', { body })).json).toEqual({
      conversation_id: expect.stringMatching(/^conv_\d{6}$/),
      owner_id: 'owner_test',
      app_id: 'app_test',
      subject: 'customer',
      endpoint_id: 'ep_test',
      binding_version: 1,
      generation: 1,
      business_key: 'order-1',
      state: 'active',
      created_at: '2026-03-02T09:30:00.000Z',
    })
  })

  it('refuses a business key that is taken, by subject and service', async () => {
    const body = { endpoint_id: 'ep_test', conversation_key: 'order-1' }
    expect((await call('createConversation', { body })).status).toBe(201)
    expect(await codeOf(call('createConversation', { body }))).toBe('BUSY')
    expect((await call('createConversation', { body, subject: 'another' })).status).toBe(201)
    expect((await call('createConversation', { body: { ...body, endpoint_id: 'ep_other' } })).status).toBe(201)
  })

  it('accepts only the configured services', async () => {
    expect(await codeOf(call('createConversation', { body: { endpoint_id: 'ep_absent' } }))).toBe('NOT_FOUND')
    expect(await codeOf(call('listConversations', { query: { endpoint_id: 'ep_absent' } }))).toBe('NOT_FOUND')
    expect(await codeOf(call('createRun', { ids: { endpoint_id: 'ep_absent' }, body: { input: { text: 'a' } } }))).toBe(
      'NOT_FOUND',
    )
  })

  it('accepts only its API key', async () => {
    expect(await codeOf(call('createConversation', { headers: { authorization: 'Bearer gk_else' } }))).toBe(
      'UNAUTHENTICATED',
    )
  })
})

it('hides the conversations of other subjects', async () => {
  const conversation_id = await create()
  const { run_id } = (await send(conversation_id)).json
  const { operation_id } = (await call('cancelRun', { ids: { run_id }, body: {} })).json
  const ids = { conversation_id, run_id, operation_id }
  const body = { expected_generation: 1, input: { text: 'Hello' } }
  const subject = 'another'
  for (const id of ['getConversation', 'listMessages', 'getRun', 'getOperation', 'streamRunEvents'])
    expect([id, await codeOf(call(id, { ids, subject }))]).toEqual([id, 'NOT_FOUND'])
  expect(await codeOf(call('streamConversationEvents', { ids, subject }))).toBe('NOT_FOUND')
  expect(await codeOf(call('sendMessage', { ids, subject, body }))).toBe('NOT_FOUND')
  expect(await codeOf(call('cancelRun', { ids, subject, body: {} }))).toBe('NOT_FOUND')
  expect(await codeOf(call('resetConversation', { ids, subject, body: { expected_generation: 1 } }))).toBe('NOT_FOUND')
  const listed = await call('listConversations', { subject, query: { endpoint_id: 'ep_test' } })
  expect(listed.json.conversations).toEqual([])
})

describe('listing', () => {
  it('pages from the newest to an empty page, over all services of the device', async () => {
    const created = [await create(), await create(), await create()]
    const seen: string[] = []
    let before: Record<string, string> = {}
    for (;;) {
      const { json } = await call('listConversations', { query: { endpoint_id: 'ep_other', limit: '2', ...before } })
      if (json.conversations.length === 0) break
      for (const { conversation_id } of json.conversations) seen.push(conversation_id)
      before = { before: seen.at(-1) ?? '' }
    }
    expect(seen).toEqual(created.toReversed())
  })

  it('refuses a position of another caller, and limits that the contract does not allow', async () => {
    const query = { endpoint_id: 'ep_test' }
    const foreign = await create('another')
    expect(await codeOf(call('listConversations', { query: { ...query, before: foreign } }))).toBe('NOT_FOUND')
    for (const limit of ['0', '201', 'x', '1.5', ''])
      expect((await call('listConversations', { query: { ...query, limit } })).json.errors[0].pointer).toBe('limit')
    expect((await call('listConversations')).json.errors[0].pointer).toBe('endpoint_id')
  })
})

describe('the history', () => {
  it('pages backwards by the smallest cursor, each page oldest first', async () => {
    const conversation_id = await create()
    for (const text of ['one', 'two', 'three']) await send(conversation_id, text)
    const ids = { conversation_id }
    const last = (await call('listMessages', { ids, query: { limit: '4' } })).json.messages
    expect(last.map(({ cursor }: { cursor: number }) => cursor)).toEqual([3, 4, 5, 6])
    const first = (await call('listMessages', { ids, query: { limit: '4', before: '3' } })).json.messages
    expect(first.map(({ role, content }: never) => [role, content])).toEqual([
      ['user', { text: 'one' }],
      ['assistant', { text: 'one', partial: false }],
    ])
    expect((await call('listMessages', { ids, query: { before: '1' } })).json.messages).toEqual([])
  })

  it('keeps the messages of earlier generations, and filters by generation', async () => {
    const conversation_id = await create()
    const ids = { conversation_id }
    await send(conversation_id, 'old')
    await call('resetConversation', { ids, body: { expected_generation: 1 } })
    await call('sendMessage', { ids, body: { expected_generation: 2, input: { text: 'new' } } })
    const texts = async (query: Record<string, string>) =>
      (await call('listMessages', { ids, query })).json.messages.map(
        ({ content }: { content: { text: string } }) => content.text,
      )
    expect(await texts({})).toEqual(['old', 'old', 'new', 'new'])
    expect(await texts({ generation: '2' })).toEqual(['new', 'new'])
    expect((await call('listMessages', { ids, query: { generation: '0' } })).status).toBe(400)
  })

  it('returns at most 100 messages, even for a larger limit', async () => {
    const conversation_id = await create()
    for (let i = 0; i < 51; i++) await send(conversation_id)
    const { json } = await call('listMessages', { ids: { conversation_id }, query: { limit: '200' } })
    expect(json.messages).toHaveLength(100)
  })
})

it('returns a snapshot that reflects every event up to its watermark', async () => {
  const conversation_id = await create()
  gateway.reply([{ delta: 'Hel' }, { hang: true }])
  const { run_id } = (await send(conversation_id)).json
  const { json } = await call('getConversation', { ids: { conversation_id } })
  expect(json.watermark).toBe(gateway.conversations[0]?.events.length)
  expect(json.messages[1].content).toEqual({ text: 'Hel', partial: true })
  expect(json.runs).toEqual([
    { run_id, generation: 1, state: 'running', device_received: true, result: null, result_available: false },
  ])
  gateway.finish(run_id)
  const after = (await call('getConversation', { ids: { conversation_id } })).json
  expect(after.messages[1].content).toEqual({ text: 'Hel', partial: false })
  expect(after.runs[0]).toMatchObject({ state: 'succeeded', result: { text: 'Hel' }, result_available: true })
})

it('accepts only an origin, and otherwise throws an error that says so', () => {
  expect(() => createTestGateway({ baseUrl: 'https://gateway.test/api/v1' })).toThrow('without the path /api/v1')
})
