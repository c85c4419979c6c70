import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { HEADERS, REACHED, RUN, serverOfFile, serverOfTest, statusesIn } from './support.ts'

/** `getRun` answers when this promise has resolved. */
const held = Promise.withResolvers<void>()
const server = await serverOfFile({
  handlers: { getRun: () => held.promise.then(() => ({ kind: 'found', body: RUN })) },
})

const lines = (requestLine: string, headers: readonly string[]): string =>
  `${requestLine}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`
const HEADER_LINES = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`)
const CANCEL = 'POST /api/v1/runs/run_1/cancel HTTP/1.1'
const NEXT = `${lines(CANCEL, ['host: x', ...HEADER_LINES, 'content-length: 2'])}{}`

describe('a request with an ambiguous length or host', () => {
  it.each([
    [
      'another transfer coding before chunked',
      lines(CANCEL, ['host: x', ...HEADER_LINES, 'transfer-encoding: gzip, chunked']),
    ],
    ['chunked twice', lines(CANCEL, ['host: x', ...HEADER_LINES, 'transfer-encoding: chunked, chunked'])],
    [
      'two Transfer-Encoding headers',
      lines(CANCEL, ['host: x', ...HEADER_LINES, 'transfer-encoding: gzip', 'transfer-encoding: chunked']),
    ],
    [
      'a transfer coding in HTTP/1.0',
      lines(CANCEL.replace('1.1', '1.0'), [...HEADER_LINES, 'transfer-encoding: chunked']),
    ],
    ['no host', lines(CANCEL, [...HEADER_LINES, 'transfer-encoding: chunked'])],
    ['two hosts', lines(CANCEL, ['host: x', 'host: y', ...HEADER_LINES, 'transfer-encoding: chunked'])],
    ['the same host twice', lines(CANCEL, ['host: x', 'host: x', ...HEADER_LINES, 'transfer-encoding: chunked'])],
    ['two hosts in HTTP/1.0', lines('GET /healthz HTTP/1.0', ['host: x', 'host: y', 'connection: keep-alive'])],
    ['no host and an unknown route', lines('GET /nothing HTTP/1.1', [])],
    ['no host and a path that cannot be decoded', lines('GET /%zz HTTP/1.1', [])],
  ])('is 400, and later requests on the connection are not executed: %s', async (_, request) => {
    const before = server.calls.length
    const body = request.includes('transfer-encoding') ? '2\r\n{}\r\n0\r\n\r\n' : ''
    const answer = await server.raw(request + body + NEXT + NEXT)
    expect(statusesIn(answer)).toEqual([400])
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(server.calls).toHaveLength(before)
  })

  it('leaves earlier requests on the connection unaffected', async () => {
    const answer = await server.raw(NEXT + lines('GET /healthz HTTP/1.1', []) + NEXT)
    expect(statusesIn(answer)).toEqual([REACHED.status, 400])
  })

  it('does not include the unusual forms that HTTP allows: these are answered', async () => {
    const forms = [
      lines('GET /healthz HTTP/1.0', []),
      lines('GET /healthz HTTP/1.0', ['host: x']),
      lines('GET /healthz HTTP/1.1', ['HOST:', 'connection: close']),
      lines('GET http://x/healthz HTTP/1.1', ['Host: x:80', 'connection: close']),
    ]
    for (const form of forms) expect([form, statusesIn(await server.raw(form))]).toEqual([form, [200]])
    const chunked = lines(CANCEL, ['host: x', ...HEADER_LINES, 'Transfer-Encoding: Chunked', 'connection: close'])
    expect(statusesIn(await server.raw(chunked, '2\r\n{}\r\n0\r\n\r\n'))).toEqual([REACHED.status])
  })
})

describe('requests on one connection', () => {
  it('wait for their answers up to a limit of 100: the next one is 429, and later ones are not executed', async () => {
    const read = lines('GET /api/v1/runs/run_1 HTTP/1.1', ['host: x', ...HEADER_LINES])
    const before = server.calls.length
    const sent = read.repeat(101) + NEXT.repeat(50)
    const connected = once(server.app.server, 'connection')
    const answering = server.raw(sent)
    const [socket]: Socket[] = await connected
    while ((socket?.bytesRead ?? 0) < sent.length) await new Promise(setImmediate)
    held.resolve()
    const answer = await answering
    expect(statusesIn(answer)).toEqual([...Array(100).fill(200), 429])
    expect(answer).toMatch(/retry-after: 1\r\n/)
    expect(server.calls).toHaveLength(before)
  })

  it('are limited even without a key', async () => {
    const answer = await server.raw(lines('GET /api/v1/runs/run_1 HTTP/1.1', ['host: x']).repeat(500))
    expect(statusesIn(answer)).toEqual([...Array(100).fill(401), 429])
  })

  it('end the connection if the client keeps sending while an answer is outstanding', async () => {
    const { raw } = await serverOfTest({ handlers: { getRun: () => new Promise(() => {}) }, drainMs: 0 })
    const read = lines('GET /api/v1/runs/run_1 HTTP/1.1', ['host: x', ...HEADER_LINES])
    expect(await raw(read.repeat(5000))).toBe('')
  })

  it('are unlimited if each waits for the previous answer', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set<unknown>()
    for (let count = 0; count < 300; count += 1) {
      const [answer]: IncomingMessage[] = await once(get(`${server.baseUrl}/healthz`, { agent }), 'response')
      sockets.add(answer?.socket)
      expect(answer?.statusCode).toBe(200)
      answer?.resume()
      if (answer !== undefined) await once(answer, 'end')
    }
    agent.destroy()
    expect(sockets.size).toBe(1)
  })
})
