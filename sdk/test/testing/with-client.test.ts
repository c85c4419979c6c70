import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { CursorExpiredError, createClient, isApiError } from '../../src/index.ts'
import { createTestGateway } from '../../src/testing/index.ts'
import { handlersOf } from '../../src/testing/msw.ts'

const baseUrl = 'https://gateway.test'
const gateway = createTestGateway({ baseUrl })
const server = setupServer(...handlersOf(gateway))
const client = createClient({ baseUrl, apiKey: 'gk_test', subject: 'customer', backoff: { baseMs: 1, maxMs: 1 } })

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => gateway.reset())
afterAll(() => server.close())

const create = () => client.conversations.create({ endpoint_id: 'ep_test' })

it("answers the client's requests", async () => {
  gateway.reply('Your order is on its way.')
  const reply = client.ask(await create(), 'Where is my order?')
  const pieces = []
  for await (const text of reply) pieces.push(text)
  expect(pieces).toEqual(['Your ', 'order ', 'is ', 'on ', 'its ', 'way.'])
  expect(await reply.run()).toMatchObject({ state: 'succeeded', result: { text: 'Your order is on its way.' } })
})

it('shows that a lost answer is replayed under the same key, and admitted once', async () => {
  const conversation = await create()
  gateway.failNext({ operation: 'sendMessage', fault: 'lose-answer' })
  await client.ask(conversation, 'Hello').run()
  const sends = gateway.requests.filter(({ operation }) => operation === 'sendMessage')
  expect(sends.map(({ status }) => status)).toEqual([null, 202])
  expect(new Set(sends.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(gateway.conversations[0]?.runs).toHaveLength(1)
})

it('shows that each event arrives once, however often the stream is cut', async () => {
  const conversation = await create()
  gateway.failNext({ fault: { cutStreamAfter: 2 }, times: 2 })
  gateway.failNext({ fault: { cutStreamAfter: 1, how: 'end' } })
  const { run_id } = await client.ask(conversation, 'one two three').admission
  const seqs = []
  for await (const { seq } of client.runs.events(run_id)) seqs.push(seq)
  expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7])
})

it('shows a position that is no longer retained', async () => {
  const conversation = await create()
  await client.ask(conversation, 'Hello').run()
  gateway.pruneEvents(conversation.conversation_id)
  const events = client.conversations.events(conversation.conversation_id, { after: 1 })
  await expect(events[Symbol.asyncIterator]().next()).rejects.toThrow(CursorExpiredError)
})

it('shows refusals as the client’s errors', async () => {
  const { conversation_id } = await create()
  const send = () => client.messages.send(conversation_id, { expected_generation: 2, input: { text: 'Hello' } })
  const error = await send().catch((thrown: unknown) => thrown)
  expect(isApiError(error, 'GENERATION_CONFLICT')).toBe(true)
})

it('lets the client wait for a reset that has to stop work first', async () => {
  gateway.reply([{ hang: true }])
  const { conversation_id, generation } = await create()
  await client.ask({ conversation_id, generation }, 'Hello').admission
  const busy_policy = 'cancel_and_reset'
  const reset = await client.conversations.reset(conversation_id, { expected_generation: generation, busy_policy })
  expect(reset.state).toBe('stopping')
  expect((await client.operations.wait(reset.operation_id)).ref.generation).toBe(2)
})

it('returns the conversation of a key or creates it, once for concurrent calls', async () => {
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
