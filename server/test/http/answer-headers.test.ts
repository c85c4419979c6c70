import { Readable } from 'node:stream'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import { describe, expect, it } from 'vitest'
import type { GatewayHandlers } from '../../src/http/handlers/gateway.ts'
import { serveDownload } from '../../src/http/handlers/serve-download.ts'
import { ADMIN_TOKEN, RUN, requestHead, serverOfTest } from './support.ts'

const head = (requestLine: string, headers: Readonly<Record<string, string | undefined>> = {}): string =>
  requestHead(requestLine, { connection: 'close', ...headers })

/** The status of an answer, and its headers by name. */
const parseHead = (answer: string): { readonly status: number; readonly headers: ReadonlyMap<string, string> } => {
  const [first = '', ...rest] = (answer.split('\r\n\r\n', 1)[0] ?? '').split('\r\n')
  const pairs = rest.map((line): [string, string] => {
    const at = line.indexOf(': ')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 2)]
  })
  return { status: Number(first.split(' ')[1]), headers: new Map(pairs) }
}

/** A request for each kind of answer. */
const ANSWERS: readonly (readonly [what: string, status: number, request: string])[] = [
  ['a record', 200, head('GET /api/v1/runs/run_1')],
  ['content', 200, head('GET /api/v1/resources/res_1/content')],
  ['no key', 401, head('GET /api/v1/runs/run_1', { authorization: undefined })],
  ['an invalid request', 400, head('GET /api/v1/conversations?limit=x')],
  ['a refusal by a handler', 503, head('GET /api/v1/operations/op_1')],
  [
    'a refusal by a handler of the admin API',
    503,
    head('GET /admin/v1/apps', { authorization: `Bearer ${ADMIN_TOKEN}` }),
  ],
  ['an unknown route', 404, head('GET /nothing')],
  ['a path that cannot be decoded', 404, head('GET /%zz')],
  ['an unknown method', 405, head('PUT /api/v1/runs/run_1')],
  ['no host', 400, 'GET / HTTP/1.1\r\n\r\n'],
  ['invalid HTTP', 400, 'hello\r\n\r\n'],
  ['health', 200, head('GET /healthz')],
  ['readiness', 200, head('GET /readyz')],
  ['metrics', 200, head('GET /metrics')],
]

const handlers: Partial<GatewayHandlers> = {
  getRun: async () => found(RUN),
  getResourceContent: async () =>
    serveDownload(
      found({ filename: 'x.txt', contentType: 'text/plain', size: 1, content: Readable.from([Buffer.from('x')]) }),
    ),
}

describe('every answer', () => {
  it.each(ANSWERS)('forbids caching and content sniffing: %s', async (_, status, request) => {
    const server = await serverOfTest({ handlers })
    const answer = parseHead(await server.raw(request))
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.has('strict-transport-security')).toBe(false)
  })

  it.each(ANSWERS)(
    'has Strict-Transport-Security if the gateway is reached by HTTPS only: %s',
    async (_, status, request) => {
      const server = await serverOfTest({ handlers, httpsOnly: true })
      const answer = parseHead(await server.raw(request))
      expect(answer.status).toBe(status)
      expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
    },
  )
})

describe('an event stream', () => {
  it('has the same headers except Cache-Control, which also forbids transformations by proxies', async () => {
    const server = await serverOfTest({
      handlers: { streamRunEvents: async ({ connect }) => ({ kind: 'opened', end: connect().end }) },
      httpsOnly: true,
    })
    const { headers } = parseHead(await server.rawUntil(/\r\n\r\n/, requestHead('GET /api/v1/runs/run_1/events')))
    expect(headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  })
})
