import { describe, expect, it } from 'vitest'
import { ORIGIN, withTestGateway } from './support/client.ts'

const { gateway, call, stream, create, send } = withTestGateway()

describe('an injected fault', () => {
  it('breaks the connection before the gateway sees the request', async () => {
    const conversation_id = await create()
    gateway.failNext({ fault: 'network-error' })
    await expect(send(conversation_id)).rejects.toThrow(TypeError)
    expect(gateway.conversations[0]?.runs).toEqual([])
    expect(gateway.requests.at(-1)).toMatchObject({ status: null, fault: 'network-error' })
  })

  it('loses the answer of a request that took effect, and a replay receives that answer', async () => {
    const conversation_id = await create()
    gateway.failNext({ operation: 'sendMessage', fault: 'lose-answer' })
    await expect(send(conversation_id, 'a', { key: 'k' })).rejects.toThrow(TypeError)
    const replay = await send(conversation_id, 'a', { key: 'k' })
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    expect(gateway.conversations[0]?.runs).toHaveLength(1)
  })

  it('never answers, although the request takes effect', async () => {
    const conversation_id = await create()
    gateway.failNext({ fault: 'no-answer' })
    const abort = new AbortController()
    const sent = send(conversation_id, 'a', { signal: abort.signal })
    while (gateway.conversations[0]?.runs.length === 0) await new Promise((resolve) => setImmediate(resolve))
    abort.abort()
    await expect(sent).rejects.toThrow()
    expect(gateway.conversations[0]?.runs).toHaveLength(1)
  })

  it('refuses the given number of requests with an error of the contract, without an effect', async () => {
    const conversation_id = await create()
    const fault = { code: 'CAPABILITY_UNAVAILABLE', retryAfterSeconds: 30, detail: 'Paused.' } as const
    gateway.failNext({ operation: 'sendMessage', fault, times: 2 })
    for (let i = 0; i < 2; i++) {
      const refused = await send(conversation_id, 'a', { key: 'k' })
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
      expect(refused.json.detail).toBe('Paused.')
    }
    expect((await send(conversation_id, 'a', { key: 'k' })).headers.get('idempotency-replayed')).toBeNull()
  })

  it('can be an answer of a proxy', async () => {
    const headers = { 'content-type': 'text/html' }
    gateway.failNext({ fault: { status: 502, body: '<h1>Bad gateway</h1>', headers } })
    const response = await fetch(`${ORIGIN}/api/v1/runs/run_1`)
    expect([response.status, await response.text()]).toEqual([502, '<h1>Bad gateway</h1>'])
    expect(response.headers.get('content-type')).toBe('text/html')
  })

  it('applies only to its operation', async () => {
    gateway.failNext({ operation: 'getRun', fault: { code: 'INTERNAL' } })
    const { run_id } = (await send(await create())).json
    expect((await call('getRun', { ids: { run_id } })).status).toBe(500)
    expect((await call('getRun', { ids: { run_id } })).status).toBe(200)
  })
})

describe('a cut stream', () => {
  it('breaks after the given number of events, and the next stream does not', async () => {
    const conversation_id = await create()
    gateway.failNext({ fault: { cutStreamAfter: 2 } })
    await send(conversation_id)
    const cut = await stream('streamConversationEvents', { ids: { conversation_id } })
    expect([(await cut.event()).seq, (await cut.event()).seq]).toEqual([1, 2])
    await expect(cut.event()).rejects.toThrow()
    const resumed = await stream('streamConversationEvents', { ids: { conversation_id }, query: { after: '2' } })
    for (let seq = 3; seq <= 6; seq++) expect((await resumed.event()).seq).toBe(seq)
    await resumed.close()
  })

  it('can end like a complete stream', async () => {
    gateway.failNext({ operation: 'streamRunEvents', fault: { cutStreamAfter: 1, how: 'end' } })
    const { run_id } = (await send(await create())).json
    const cut = await stream('streamRunEvents', { ids: { run_id } })
    expect((await cut.rest()).map(({ seq }) => seq)).toEqual([1])
  })

  it('is refused for an operation without a stream', () => {
    expect(() => gateway.failNext({ operation: 'getRun', fault: { cutStreamAfter: 1 } })).toThrow(
      'getRun does not answer with a stream',
    )
  })
})

it('the gateway records every request, without its key', async () => {
  const conversation_id = await create()
  await send(conversation_id, 'Hello', { key: 'k-1' })
  expect(gateway.requests[1]).toEqual({
    operation: 'sendMessage',
    url: `${ORIGIN}/api/v1/conversations/${conversation_id}/messages`,
    headers: expect.objectContaining({ 'idempotency-key': 'k-1', 'x-service-subject': 'customer' }),
    body: { expected_generation: 1, input: { text: 'Hello' } },
    status: 202,
    fault: null,
  })
  expect(JSON.stringify(gateway.requests)).not.toContain('gk_test')
})

it('a reset clears records, replies, faults and holds, and does not reuse identifiers', async () => {
  const first = await create()
  gateway.reply('unused')
  gateway.failNext({ fault: 'network-error', operation: 'getRun' })
  gateway.hold()
  gateway.reset()
  expect([gateway.conversations, gateway.requests]).toEqual([[], []])
  const next = await create()
  expect(next).not.toBe(first)
  const { run_id } = (await send(next, 'Hello')).json
  expect((await call('getRun', { ids: { run_id } })).json.result).toEqual({ text: 'Hello' })
})

it('the gateway shows the current state of conversations at each access', async () => {
  const conversation_id = await create()
  const before = gateway.conversations[0]
  await send(conversation_id)
  expect(before?.messages).toEqual([])
  expect(gateway.conversations[0]).toMatchObject({
    record: { conversation_id, subject: 'customer' },
    messages: [{ role: 'user' }, { role: 'assistant' }],
    runs: [{ state: 'succeeded' }],
  })
})
