import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import { describe, expect, it } from 'vitest'
import { serveDownload } from '../../src/http/handlers/serve-download.ts'
import { HEADERS, requestHead as head, REACHED, serverOfFile, serverOfTest, statusesIn as statuses } from './support.ts'

const server = await serverOfFile()

const CANCEL = 'POST /api/v1/runs/run_1/cancel'
const MIB = 1024 * 1024

describe('a body that is too large', () => {
  it('is refused as soon as its Content-Length is received [ERR-30]', async () => {
    const answer = await server.rawUntil(/\}$/, head(CANCEL, { 'content-length': String(10 * 1024 * MIB) }))
    expect(statuses(answer)).toEqual([413])
    expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"')
  })

  it('leaves the connection usable if the client sends it completely', async () => {
    const body = Buffer.alloc(4 * MIB, 0x20)
    const answer = await server.raw(
      head(CANCEL, { 'content-length': String(body.length) }),
      body,
      head(CANCEL, { 'content-length': '2', connection: 'close' }),
      '{}',
    )
    expect(statuses(answer)).toEqual([413, REACHED.status])
  })

  it.each([2, 17])('of %i MiB with Connection: close is answered before the connection closes', async (mebibytes) => {
    const body = Buffer.alloc(mebibytes * MIB, 0x20)
    for (let round = 0; round < 5; round += 1) {
      const sending = request(`${server.baseUrl}/api/v1/runs/run_1/cancel`, {
        method: 'POST',
        headers: { ...HEADERS, 'content-length': String(body.length), connection: 'close' },
        agent: false,
      })
      sending.end(body)
      const [answer]: IncomingMessage[] = await once(sending, 'response')
      expect(answer?.statusCode).toBe(413)
      answer?.resume()
      await once(sending, 'close')
    }
  })

  it('is refused once its chunks exceed the limit', async () => {
    const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`
    const answer = await server.raw(
      head(CANCEL, { 'transfer-encoding': 'chunked' }),
      ...Array<string>(17).fill(chunk),
      '0\r\n\r\n',
      head(CANCEL, { 'content-length': '2', connection: 'close' }),
      '{}',
    )
    expect(statuses(answer)).toEqual([413, REACHED.status])
  })

  it('ends the connection if it is far too large', async () => {
    const piece = Buffer.alloc(MIB, 0x20)
    const answer = await server.raw(
      head(CANCEL, { 'content-length': String(1024 * MIB) }),
      ...Array<Buffer>(64).fill(piece),
    )
    expect(statuses(answer).filter((status) => status !== 413)).toEqual([])
  })

  it('does not replace a refusal for another reason, which the client can read', async () => {
    const body = Buffer.alloc(2 * MIB, 0x20)
    const answer = await server.raw(
      head(CANCEL, { 'content-length': String(body.length), authorization: 'Bearer wrong', connection: 'close' }),
      body,
    )
    expect(statuses(answer)).toEqual([401])
  })
})

describe('a body', () => {
  it('may arrive in pieces that split a character', async () => {
    const body = Buffer.from('{"expected_generation":1,"input":{"text":"\u20ac\u{1f600}"}}')
    const before = server.calls.length
    const answer = await server.raw(
      head('POST /api/v1/conversations/conv_1/messages', { 'transfer-encoding': 'chunked', connection: 'close' }),
      ...[...body].map((byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a])),
      '0\r\n\r\n',
    )
    expect(statuses(answer)).toEqual([REACHED.status])
    expect(server.calls[before]?.request).toMatchObject({ body: { input: { text: '\u20ac\u{1f600}' } } })
  })

  it('of an invalid request leaves the connection usable', async () => {
    const answer = await server.raw(
      head(CANCEL, { 'content-length': '1' }),
      '{',
      head(CANCEL, { 'content-length': '4', 'content-type': 'text/plain' }),
      'text',
      head(CANCEL, { 'content-length': '2', connection: 'close' }),
      '{}',
    )
    expect(statuses(answer)).toEqual([400, 415, REACHED.status])
  })

  it('is ignored on routes without a body', async () => {
    const answer = await server.raw(
      head('GET /api/v1/runs/run_1', { 'content-length': '5' }),
      'hello',
      head('DELETE /api/v1/resources/res_1', { 'content-length': '5', connection: 'close' }),
      'hello',
    )
    expect(statuses(answer)).toEqual([REACHED.status, REACHED.status])
  })
})

describe('invalid HTTP', () => {
  it.each([
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00'],
    ['an invalid request line', 'hello\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost\r\n\r\n'],
    ['a control character in a header', 'GET / HTTP/1.1\r\nhost: x\r\nx-service-subject: a\x7fb\r\n\r\n'],
    ['two lengths', `${CANCEL} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx`],
    [
      'a length and chunks',
      `${CANCEL} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\nx`,
    ],
    ['a length that is not a number', `${CANCEL} HTTP/1.1\r\nhost: x\r\ncontent-length: one\r\n\r\nx`],
  ])('gets a problem, and the connection is closed: %s', async (_, bytes) => {
    const answer = await server.raw(Buffer.from(bytes, 'latin1'))
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toContain('content-type: application/problem+json')
    expect(answer).toContain('connection: close')
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect(problem).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(answer).toContain(`x-request-id: ${problem.request_id}`)
  })
})

describe('unusual HTTP', () => {
  it('is supported: an unknown expectation, and HTTP/1.0', async () => {
    const expecting = 'GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\nconnection: close\r\n\r\n'
    for (const request of [expecting, 'GET /healthz HTTP/1.0\r\n\r\n'])
      expect(statuses(await server.raw(request))).toEqual([200])
  })

  it('is supported: several requests in one packet, which are answered in order', async () => {
    const one = head('GET /api/v1/runs/run_1')
    expect(statuses(await server.raw(one + one + head('GET /nothing', { connection: 'close' })))).toEqual([
      REACHED.status,
      REACHED.status,
      404,
    ])
  })
})

describe('a request head that is too large', () => {
  it.each([
    [414, 'a long URL', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
    [414, 'a URL that does not end', `GET /${'x'.repeat(1_000_000)}`],
    [431, 'a long header', head('GET /healthz', { cookie: 'x'.repeat(20_000) })],
    [
      431,
      'many headers',
      head('GET /healthz', Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`x-${i}`, '1']))),
    ],
  ])('is a problem with status %i, and ends the connection: %s', async (status, _, request) => {
    const answer = await server.raw(request)
    const [top = '', body = ''] = answer.split('\r\n\r\n')
    expect(statuses(answer)).toEqual([status])
    expect(top).toMatch(/^content-type: application\/problem\+json$/m)
    expect(top).toMatch(/^connection: close$/m)
    expect(JSON.parse(body)).toMatchObject({ status, code: 'INVALID_REQUEST', request_id: expect.any(String) })
  })
})

describe('routes', () => {
  it.each([
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/conversations/',
    '/api/v1/Conversations',
    '/api/v2/conversations',
    '/admin',
    '/admin/v1',
    '//api/v1/conversations',
    '/api/v1/conversations//messages',
    '/index.html',
    '/.env',
    '/%2e%2e',
    '/%zz',
    '/api/v1/runs/%c3',
    `/${'x'.repeat(8000)}`,
  ])('that do not exist return 404: %s [ERR-27]', async (path) => {
    const answer = await server.raw(head(`GET ${path}`, { connection: 'close' }))
    expect(statuses(answer)).toEqual([404])
    expect(answer).toContain('"code":"NOT_FOUND"')
  })

  it.each([
    ['PUT', '/api/v1/conversations', 'GET, HEAD, POST'],
    ['OPTIONS', '/api/v1/conversations', 'GET, HEAD, POST'],
    ['PROPFIND', '/api/v1/conversations', 'GET, HEAD, POST'],
    ['PATCH', '/api/v1/resources/res_1/content', 'GET, HEAD, PUT'],
    ['POST', '/admin/v1/admission', 'GET, HEAD, PUT'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['HEAD', '/api/v1/runs/run_1/cancel', 'POST'],
    ['HEAD', '/api/v1/runs/run_1/events', 'GET'],
  ])('return 405 with Allow for other methods: %s %s [ERR-28]', async (method, path, allow) => {
    const { status, headers, json } = await server.fetch(path, { method, bare: true })
    expect([status, headers.get('allow')]).toEqual([405, allow])
    if (method !== 'HEAD') expect(json.code).toBe('METHOD_NOT_ALLOWED')
  })

  it.each([
    '/healthz',
    '/readyz',
    '/',
    '/docs',
    '/docs/',
    '/docs/errors',
    '/docs/nothing.html',
    '/console',
    '/console/',
    '/openapi.json',
    '/openapi.yaml',
    '/admin/openapi.json',
    '/admin/v1/admission',
    '/api/v1/runs/run_1',
    '/api/v1/runs/run%00',
    '/api/v1/conversations?limit=0',
    '/api/v1/resources/res_1/content',
  ])('answer HEAD like GET, without the body: %s', async (path) => {
    const bare = !/^\/(?:api|admin\/v1)\//.test(path)
    const [got, headed] = [await server.fetch(path, { bare }), await server.fetch(path, { method: 'HEAD', bare })]
    const described = ({ status, headers }: typeof got) => {
      const {
        'x-request-id': _id,
        date: _date,
        connection: _connection,
        'keep-alive': _keepAlive,
        ...rest
      } = Object.fromEntries(headers)
      return { status, headers: rest }
    }
    expect(described(headed)).toEqual(described(got))
    expect(headed.text).toBe('')
  })

  it('answer HEAD for the content of an attachment without reading it', async () => {
    let isRead = false
    const content: AsyncIterable<Uint8Array> = {
      async *[Symbol.asyncIterator]() {
        isRead = true
        yield Buffer.from('hello')
      },
    }
    const { fetch } = await serverOfTest({
      handlers: {
        getResourceContent: async () =>
          serveDownload(found({ filename: 'a.txt', contentType: 'text/plain', size: 5, content })),
      },
    })
    const { status, headers } = await fetch('/api/v1/resources/res_1/content', { method: 'HEAD' })
    expect([status, headers.get('content-length'), isRead]).toEqual([200, '5', false])
  })
})
