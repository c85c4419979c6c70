import { describe, expect, it } from 'vitest'
import { ADMISSION, BODY, connect, SUBJECT } from '../../test/support/scripted-client.ts'
import { createScriptedFetch, json, lost, problem, raw } from '../../test/support/scripted-fetch.ts'
import { KEY, ORIGIN } from '../../test/support/settings.ts'
import { createClient } from './create-client.ts'

describe('a call', () => {
  it('sends the key, the subject and the accepted types [AUTH-02, SUBJ-02]', async () => {
    const { client, requests } = connect([json(200, {})])
    await client.runs.get('run_1')
    expect(requests[0]?.url).toBe('https://gateway.example.com/api/v1/runs/run_1')
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      accept: 'application/json, application/problem+json',
      authorization: `Bearer ${KEY}`,
      'x-service-subject': SUBJECT,
    })
  })

  it('acts for the subject of its client, and of no other', async () => {
    const { client, requests } = connect([json(200, {}), json(200, {}), json(200, {})])
    const other = client.forSubject('customer-2')
    await other.runs.get('run_1')
    await client.runs.get('run_1')
    await other.forSubject('customer-3').runs.get('run_1')
    expect(requests.map(({ headers }) => headers.get('x-service-subject'))).toEqual([
      'customer-2',
      SUBJECT,
      'customer-3',
    ])
  })

  it('sends a subject as its UTF-8 bytes, on every attempt [SUBJ-15]', async () => {
    const { client, requests, timing } = connect([lost, json(200, {})])
    await timing.drive(client.forSubject('Žofie 名前 🚀').runs.get('run_1'))
    const sent = requests.map(({ headers }) => headers.get('x-service-subject') ?? '')
    const utf8 = Buffer.from('Žofie 名前 🚀').toString('latin1')
    expect(sent).toEqual([utf8, utf8])
  })

  it('without a subject says where to give one, and sends nothing', async () => {
    const script = createScriptedFetch()
    const client = createClient({ baseUrl: ORIGIN, apiKey: KEY, fetch: script.fetch })
    await expect(client.runs.get('run_1')).rejects.toThrow(
      'subject is missing: pass it to createClient or use forSubject.',
    )
    await expect(client.messages.send('conv_1', BODY).outcome()).rejects.toThrow(TypeError)
    expect(script.requests).toEqual([])
    expect(() => client.forSubject(' ')).toThrow('subject must be')
    expect(() => createClient({ baseUrl: ORIGIN, apiKey: KEY, subject: '' })).toThrow('subject must be')
  })

  it('takes headers from the client and from the call, except those that it sets itself', async () => {
    const { client, requests } = connect([json(200, {})], { headers: { 'X-Trace': 'client', 'X-Region': 'eu' } })
    await client.runs.get('run_1', { headers: { 'X-Trace': 'call' } })
    expect(requests[0]?.headers.get('x-trace')).toBe('call')
    expect(requests[0]?.headers.get('x-region')).toBe('eu')
    await expect(client.runs.get('run_1', { headers: { authorization: 'x' } })).rejects.toThrow(
      'headers may not set authorization',
    )
    expect(() => connect([], { headers: { Accept: 'text/html' } })).toThrow('headers may not set Accept')
    expect(requests).toHaveLength(1)
  })

  it('sends the caller’s request ID, and refuses an invalid one', async () => {
    const { client, requests } = connect([json(200, {})])
    await client.runs.get('run_1', { requestId: 'order-17' })
    expect(requests[0]?.headers.get('x-request-id')).toBe('order-17')
    await expect(client.runs.get('run_1', { requestId: 'order 17' })).rejects.toThrow('requestId must be 1-128')
    await expect(client.runs.cancel('run_1', { idempotencyKey: '' })).rejects.toThrow('idempotencyKey must be 1-128')
  })

  it('returns the raw answer, its request ID and the attempts with the data', async () => {
    const { client, timing } = connect([lost, json(202, ADMISSION, { 'idempotency-replayed': 'true' })])
    const answer = await timing.drive(client.messages.send('conv_1', BODY).withResponse())
    expect(answer).toMatchObject({ data: ADMISSION, requestId: 'req_1', attempts: 2, replayed: true })
    expect(answer.response.status).toBe(202)
    expect(await answer.response.json()).toEqual(ADMISSION)
    expect(await answer.response.text()).toBe(JSON.stringify(ADMISSION))
  })

  it('that is refused rejects with the request ID, the code and the answer', async () => {
    const { client } = connect([problem('NOT_FOUND')])
    await expect(client.runs.get('run_1')).rejects.toMatchObject({
      name: 'ApiError',
      requestId: 'req_1',
      code: 'NOT_FOUND',
      response: { status: 404 },
    })
  })

  it.each(['', '.', '..'])('with the ID %j is refused, since it would name another path [GEN-05]', async (id) => {
    const { client, requests } = connect([])
    await expect(client.runs.get(id)).rejects.toThrow('run_id must be the ID as text')
    await expect(client.runs.cancel(id).outcome()).rejects.toThrow(TypeError)
    expect(requests).toEqual([])
  })

  it('whose ID is not a string rejects with an error that says so', async () => {
    const { client } = connect([])
    const id: unknown = undefined
    await expect(client.runs.get(id as string)).rejects.toThrow('run_id must be the ID as text, not undefined.')
  })

  it('whose body is not JSON rejects, also as an outcome, and sends nothing', async () => {
    const { client, requests } = connect([])
    const body: unknown = { expected_generation: 1n, input: {} }
    await expect(client.messages.send('conv_1', body as typeof BODY).outcome()).rejects.toThrow(TypeError)
    expect(requests).toEqual([])
  })

  it('behaves as a promise', async () => {
    const { client } = connect([json(200, { run_id: 'run_1' }), problem('NOT_FOUND'), problem('NOT_FOUND')])
    let isOver = false
    const get = () => client.runs.get('run_1').finally(() => (isOver = true))
    expect(await get()).toEqual({ run_id: 'run_1' })
    expect(isOver).toBe(true)
    expect(await client.runs.get('run_1').catch(({ code }: { code: string }) => code)).toBe('NOT_FOUND')
    expect(await Promise.allSettled([get()])).toMatchObject([{ status: 'rejected', reason: { code: 'NOT_FOUND' } }])
  })
})

describe('attachments', () => {
  const BYTES = new Uint8Array([0, 1, 254, 255, 13, 10])

  it.each([
    ['a Blob', new Blob([BYTES])],
    ['an ArrayBuffer', BYTES.buffer],
    ['bytes', BYTES],
    ['a part of a buffer', new Uint8Array([9, 9, ...BYTES, 9]).subarray(2, 8)],
  ])('are sent from %s, the same bytes in every attempt', async (_name, content) => {
    const { client, timing, requests } = connect([lost, json(200, { resource_id: 'res_1' })])
    expect(await timing.drive(client.resources.putContent('res_1', content))).toEqual({ resource_id: 'res_1' })
    for (const { body, headers, method } of requests) {
      expect([method, headers.get('content-type'), headers.get('idempotency-key')]).toEqual([
        'PUT',
        'application/octet-stream',
        null,
      ])
      expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(BYTES)
    }
    expect(requests).toHaveLength(2)
  })

  it('that are too large for the client are rejected without a retry', async () => {
    const { client, requests } = connect([raw(200, 'x'.repeat(11))], { maxAnswerBytes: 10 })
    await expect(client.resources.getContent('res_1')).rejects.toThrow('larger than 10 bytes')
    expect(requests).toHaveLength(1)
  })

  it('are deleted without an answer body', async () => {
    const { client, requests } = connect([raw(204, null, { 'x-request-id': 'req_7' })])
    expect(await client.resources.delete('res_1').withResponse()).toMatchObject({ data: undefined, requestId: 'req_7' })
    expect(requests[0]?.method).toBe('DELETE')
  })
})
