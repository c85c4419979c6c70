import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from './support.ts'
import { REACHED, startServer } from './support.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  expect(server.app.contractViolations).toEqual([])
  await server.close()
})

const ACCEPTED = [REACHED.status, REACHED.code]

const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const { status, json } = await server.fetch(path, { method: 'POST', body: JSON.stringify(body), headers })
  return json.errors === undefined ? [status, json.code] : [status, json.code, json.errors]
}
const send = (input: unknown, more: object = {}) =>
  post('/api/v1/conversations/conv_1/messages', { expected_generation: 1, input, ...more })
const create = (conversationKey: string) =>
  post('/api/v1/conversations', { endpoint_id: 'ep_1', conversation_key: conversationKey })
const fault = (pointer: string, message: string) => [400, 'INVALID_REQUEST', [{ pointer, message }]]

describe('a message', () => {
  it('may have 65,536 bytes of text and not one more, whatever the characters [LIMIT-03, MSG-08, MSG-31]', async () => {
    const tooLong = fault('/input/text', 'must have at most 65536 bytes of UTF-8')
    expect(await send({ text: 'x'.repeat(65_536) })).toEqual(ACCEPTED)
    expect(await send({ text: 'x'.repeat(65_537) })).toEqual(tooLong)
    expect(await send({ text: '\u20ac'.repeat(21_845) })).toEqual(ACCEPTED)
    expect(await send({ text: `${'\u20ac'.repeat(21_845)}xx` })).toEqual(tooLong)
    expect(await send({ text: '\u{1f600}'.repeat(16_384) })).toEqual(ACCEPTED)
    expect(await send({ text: `${'\u{1f600}'.repeat(16_384)}x` })).toEqual(tooLong)
  })

  it('may have 5 different attachments [LIMIT-04, MSG-11]', async () => {
    const ids = ['res_1', 'res_2', 'res_3', 'res_4', 'res_5']
    expect(await send({ resource_ids: ids })).toEqual(ACCEPTED)
    expect(await send({ resource_ids: [...ids, 'res_6'] })).toEqual(
      fault('/input/resource_ids', 'must have at most 5 items'),
    )
    expect(await send({ resource_ids: ['res_1', 'res_2', 'res_1'] })).toEqual(
      fault('/input/resource_ids/2', 'repeats an earlier item'),
    )
  })

  it('needs at least one member of its input that is not empty [MSG-07, MSG-29, MSG-30]', async () => {
    const empty = fault('/input', 'needs at least one non-empty member of text, data, resource_ids')
    for (const input of [
      {},
      { text: '' },
      { data: {} },
      { resource_ids: [] },
      { text: '', data: {}, resource_ids: [] },
    ])
      expect(await send(input)).toEqual(empty)
    for (const input of [{ text: ' ' }, { data: { a: null } }, { text: '', data: { a: 0 } }])
      expect(await send(input)).toEqual(ACCEPTED)
  })

  it('may have data nested 128 levels deep', async () => {
    const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    expect(await send({ data: nested(128) })).toEqual(ACCEPTED)
    expect((await send({ data: nested(129) }))[0]).toBe(400)
  })

  it('takes its generation as a number only [MSG-04]', async () => {
    const generation = async (given: unknown) => (await send({ text: 'x' }, { expected_generation: given })).slice(0, 2)
    expect(await generation(9_007_199_254_740_991)).toEqual(ACCEPTED)
    for (const given of ['1', 0, -1, 1.5, null, true, [1], 9_007_199_254_740_992])
      expect(await generation(given)).toEqual([400, 'INVALID_REQUEST'])
  })

  it('takes neither model, nor directory, nor permissions, nor busy_policy [MSG-18]', async () => {
    for (const member of ['model', 'working_directory', 'tool_permissions', 'busy_policy'])
      expect(await send({ text: 'x' }, { [member]: 'x' })).toEqual([
        400,
        'UNKNOWN_FIELD',
        [{ pointer: `/${member}`, message: 'is not a known member' }],
      ])
  })
})

describe('a conversation key', () => {
  it('has 1 to 256 characters, counted as characters [LIMIT-05, CONV-04]', async () => {
    for (const key of ['k', 'k'.repeat(256), '\u{1f600}'.repeat(256)]) expect(await create(key)).toEqual(ACCEPTED)
    for (const key of ['', 'k'.repeat(257), '\u{1f600}'.repeat(257)])
      expect((await create(key)).slice(0, 2)).toEqual([400, 'INVALID_REQUEST'])
  })

  it('has no surrounding white space [CONV-05]', async () => {
    expect(await create('in side')).toEqual(ACCEPTED)
    for (const key of [' k', 'k ', '\u00a0k', 'k\n', '\t', '\u3000k'])
      expect((await create(key)).slice(0, 2)).toEqual([400, 'INVALID_REQUEST'])
  })
})

describe('the characters of a conversation key', () => {
  it('may be control characters, but for NUL; a lone surrogate is none [CONV-26]', async () => {
    for (const key of ['a\tb', 'a\nb', 'a\u0001b', 'a\u007fb', 'a\u0085b', '\u0001', 'k\u001f', 'a\u200bb'])
      expect([key, ...(await create(key))]).toEqual([key, ...ACCEPTED])
    for (const key of ['a\u0000b', '\u0000', 'a\ud800b', '\udc00'])
      expect((await create(key)).slice(0, 2)).toEqual([400, 'INVALID_REQUEST'])
  })
})

describe("an integration's subject", () => {
  const integrate = async (subject: string) => {
    const body = { app_id: 'app_1', endpoint_id: 'ep_1', subject, event_type_field: 't', event_types: ['a'] }
    return (await post('/admin/v1/webhooks', { ...body, action: 'new', message_field: 'm' })).slice(0, 2)
  }

  it('keeps the rule of the header, in code points [HOOK-74]', async () => {
    for (const subject of ['s', '\u540d\u524d \u{1f600}', '\u{1f600}'.repeat(256)])
      expect(await integrate(subject)).toEqual(ACCEPTED)
    for (const subject of ['', ' s', 's\u3000', 'a\tb', 'a\u0085b', 'a\ud800', '\u{1f600}'.repeat(257)])
      expect(await integrate(subject)).toEqual([400, 'INVALID_REQUEST'])
  })
})

describe('an idempotency key', () => {
  const withKey = async (key: string | null) => {
    const { status, json } = await server.fetch('/api/v1/runs/run_1/cancel', {
      method: 'POST',
      bare: true,
      body: '{}',
      headers: {
        authorization: 'Bearer a-key',
        'x-service-subject': 's',
        'content-type': 'application/json',
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
    })
    return [status, json.code, json.errors?.[0].pointer]
  }

  it('has 1 to 128 visible ASCII characters without spaces [LIMIT-06, IDEM-02, IDEM-16]', async () => {
    for (const key of ['k', '!~', 'k'.repeat(128)]) expect(await withKey(key)).toEqual([...ACCEPTED, undefined])
    for (const key of ['', 'k'.repeat(129), 'a b', 'a\tb', 'k\u00e4y'])
      expect([key, ...(await withKey(key))]).toEqual([key, 400, 'INVALID_REQUEST', 'Idempotency-Key'])
  })

  it('is required on every operation that is replayed [IDEM-03, IDEM-15, DIRECT-08]', async () => {
    const bodies = {
      '/api/v1/conversations': { endpoint_id: 'ep_1' },
      '/api/v1/conversations/conv_1/messages': { expected_generation: 1, input: { text: 'x' } },
      '/api/v1/conversations/conv_1/reset': { expected_generation: 1 },
      '/api/v1/runs/run_1/cancel': {},
      '/api/v1/agent-endpoints/ep_1/runs': { input: { text: 'x' } },
      '/api/v1/resources': { filename: 'a.txt', content_type: 'text/plain', size: 1 },
    }
    for (const [path, body] of Object.entries(bodies)) {
      const { status, json } = await server.fetch(path, {
        method: 'POST',
        bare: true,
        body: JSON.stringify(body),
        headers: { authorization: 'Bearer a-key', 'x-service-subject': 's', 'content-type': 'application/json' },
      })
      expect([path, status, json.errors]).toEqual([path, 400, [{ pointer: 'Idempotency-Key', message: 'is required' }]])
    }
  })

  it('cannot be given twice', async () => {
    const head =
      'POST /api/v1/runs/run_1/cancel HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a-key\r\nx-service-subject: s\r\n'
    const rest = 'content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}'
    expect(await server.raw(`${head}idempotency-key: a\r\nidempotency-key: a\r\n${rest}`)).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('a cancel', () => {
  it('takes the empty object and nothing else [CANCEL-01, CANCEL-03]', async () => {
    expect(await post('/api/v1/runs/run_1/cancel', {})).toEqual(ACCEPTED)
    expect((await post('/api/v1/runs/run_1/cancel', { expected_generation: 1 })).slice(0, 2)).toEqual([
      400,
      'UNKNOWN_FIELD',
    ])
  })
})

describe('a direct run', () => {
  it('takes an expected generation only together with a conversation key [DIRECT-04, DIRECT-09]', async () => {
    const run = (more: object) => post('/api/v1/agent-endpoints/ep_1/runs', { input: { text: 'x' }, ...more })
    expect(await run({ expected_generation: 1 })).toEqual(fault('/expected_generation', 'needs conversation_key'))
    expect(await run({ expected_generation: 1, conversation_key: 'k' })).toEqual(ACCEPTED)
  })
})

describe('a reset', () => {
  it('takes the two busy policies and no other [RESET-03]', async () => {
    const reset = (more: object) => post('/api/v1/conversations/conv_1/reset', { expected_generation: 1, ...more })
    for (const more of [{}, { busy_policy: 'reject' }, { busy_policy: 'cancel_and_reset' }])
      expect(await reset(more)).toEqual(ACCEPTED)
    for (const policy of ['stop', '', null, 1, 'REJECT'])
      expect((await reset({ busy_policy: policy })).slice(0, 2)).toEqual([400, 'INVALID_REQUEST'])
  })
})
