import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { GatewayHandlers } from '../../src/http/handlers/gateway.ts'
import { serveDownload } from '../../src/http/handlers/serve-download.ts'
import type { TestServer, TestServerOptions } from './support.ts'
import { HEADERS, RUN, startServer } from './support.ts'

const servers: TestServer[] = []
const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options)
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const server of servers.splice(0)) {
    expect(server.app.contractViolations).toEqual([])
    await server.close()
  }
})

const lines = (requestLine: string, headers: Record<string, string> = HEADERS): string =>
  `${requestLine} HTTP/1.1\r\n${Object.entries({ host: 'x', connection: 'close', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** The first line of an answer, and its headers by their names. */
const headOf = (answer: string): { readonly status: number; readonly headers: ReadonlyMap<string, string> } => {
  const [first = '', ...rest] = (answer.split('\r\n\r\n', 1)[0] ?? '').split('\r\n')
  const pairs = rest.map((line): [string, string] => {
    const at = line.indexOf(': ')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 2)]
  })
  return { status: Number(first.split(' ')[1]), headers: new Map(pairs) }
}

/** One request for each kind of answer, and its status. */
const ANSWERS: readonly (readonly [what: string, status: number, request: string])[] = [
  ['a record', 200, lines('GET /api/v1/runs/run_1')],
  ['content', 200, lines('GET /api/v1/resources/res_1/content')],
  ['no key', 401, lines('GET /api/v1/runs/run_1', {})],
  ['a fault', 400, lines('GET /api/v1/conversations?limit=x')],
  ['a refusal by a handler', 503, lines('GET /api/v1/operations/op_1')],
  ['what operators ask', 503, lines('GET /admin/v1/apps', { authorization: 'Bearer admin-token' })],
  ['no such route', 404, lines('GET /nothing')],
  ['a path that cannot be decoded', 404, lines('GET /%zz')],
  ['no such method', 405, lines('PUT /api/v1/runs/run_1')],
  ['no host', 400, 'GET / HTTP/1.1\r\n\r\n'],
  ['no HTTP', 400, 'hello\r\n\r\n'],
  ['health', 200, lines('GET /healthz')],
  ['readiness', 200, lines('GET /readyz')],
  ['metrics', 200, lines('GET /metrics')],
]

const handlers: Partial<GatewayHandlers> = {
  getRun: async () => found(RUN),
  getResourceContent: async () =>
    serveDownload(
      found({ filename: 'x.txt', contentType: 'text/plain', size: 1, content: Readable.from([Buffer.from('x')]) }),
    ),
}

describe('every answer', () => {
  it.each(ANSWERS)('is not cached and not sniffed: %s', async (_, status, request) => {
    const server = await start({ handlers })
    const answer = headOf(await server.raw(request))
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.has('strict-transport-security')).toBe(false)
  })

  it.each(ANSWERS)('says that HTTPS is all there is, where it is: %s', async (_, status, request) => {
    const server = await start({ handlers, httpsOnly: true })
    const answer = headOf(await server.raw(request))
    expect(answer.status).toBe(status)
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
  })
})

describe('the exceptions', () => {
  it('are streams, which nothing may change either', async () => {
    const server = await start({
      handlers: { streamRunEvents: async ({ connect }) => ({ kind: 'opened', end: connect().end }) },
      httpsOnly: true,
    })
    const { headers } = headOf(await server.rawUntil(/\r\n\r\n/, lines('GET /api/v1/runs/run_1/events')))
    expect(headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  it('are the files of the documentation, which browsers keep', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'site-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'assets'))
    for (const name of ['index.html', '404.html', 'assets/app.js']) await writeFile(join(folder, name), name)
    const server = await start({ siteFolder: folder })
    const cacheOf = async (path: string) => (await server.fetch(path, { bare: true })).headers.get('cache-control')
    expect(await cacheOf('/docs/')).toBe('no-cache')
    expect(await cacheOf('/docs/assets/app.js')).toBe('public, max-age=31536000, immutable')
  })
})
