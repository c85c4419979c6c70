import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from './support.ts'
import { HEADERS, REACHED, RUN, startServer } from './support.ts'

let server: TestServer
/** Releases the answers of the blocked use case. */
let letGo: () => void = () => {}
beforeAll(async () => {
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  server = await startServer({
    handlers: { getRun: () => held.then(() => ({ kind: 'found', body: RUN })) },
  })
})
afterAll(async () => {
  expect(server.app.contractViolations).toEqual([])
  await server.close()
})

const lines = (requestLine: string, headers: readonly string[]): string =>
  `${requestLine}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`
const OWN = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`)
const CANCEL = 'POST /api/v1/runs/run_1/cancel HTTP/1.1'
const NEXT = `${lines(CANCEL, ['host: x', ...OWN, 'content-length: 2'])}{}`
const statuses = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code))

describe('a request whose end or whose host is not certain', () => {
  it.each([
    ['another coding before chunked', lines(CANCEL, ['host: x', ...OWN, 'transfer-encoding: gzip, chunked'])],
    ['chunked twice', lines(CANCEL, ['host: x', ...OWN, 'transfer-encoding: chunked, chunked'])],
    [
      'two headers about the coding',
      lines(CANCEL, ['host: x', ...OWN, 'transfer-encoding: gzip', 'transfer-encoding: chunked']),
    ],
    ['a coding in HTTP/1.0', lines(CANCEL.replace('1.1', '1.0'), [...OWN, 'transfer-encoding: chunked'])],
    ['no host', lines(CANCEL, [...OWN, 'transfer-encoding: chunked'])],
    ['two hosts', lines(CANCEL, ['host: x', 'host: y', ...OWN, 'transfer-encoding: chunked'])],
    ['the same host twice', lines(CANCEL, ['host: x', 'host: x', ...OWN, 'transfer-encoding: chunked'])],
    ['two hosts in HTTP/1.0', lines('GET /healthz HTTP/1.0', ['host: x', 'host: y', 'connection: keep-alive'])],
    ['no host where there is no route', lines('GET /nothing HTTP/1.1', [])],
    ['no host and a path that cannot be decoded', lines('GET /%zz HTTP/1.1', [])],
  ])('is 400, and nothing behind it on the connection is run: %s', async (_, request) => {
    const before = server.calls.length
    const body = request.includes('transfer-encoding') ? '2\r\n{}\r\n0\r\n\r\n' : ''
    const answer = await server.raw(request + body + NEXT + NEXT)
    expect(statuses(answer)).toEqual([400])
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(server.calls).toHaveLength(before)
  })

  it('lets those before it be answered', async () => {
    const answer = await server.raw(NEXT + lines('GET /healthz HTTP/1.1', []) + NEXT)
    expect(statuses(answer)).toEqual([REACHED.status, 400])
  })

  it('is none in the forms that HTTP allows', async () => {
    const forms = [
      lines('GET /healthz HTTP/1.0', []),
      lines('GET /healthz HTTP/1.0', ['host: x']),
      lines('GET /healthz HTTP/1.1', ['HOST:', 'connection: close']),
      lines('GET http://x/healthz HTTP/1.1', ['Host: x:80', 'connection: close']),
    ]
    for (const form of forms) expect([form, statuses(await server.raw(form))]).toEqual([form, [200]])
    const chunked = lines(CANCEL, ['host: x', ...OWN, 'Transfer-Encoding: Chunked', 'connection: close'])
    expect(statuses(await server.raw(chunked, '2\r\n{}\r\n0\r\n\r\n'))).toEqual([REACHED.status])
  })
})

describe('requests on one connection', () => {
  it('are 100 at most that wait for their answers: the next is 429, and nothing behind it is run', async () => {
    const read = lines('GET /api/v1/runs/run_1 HTTP/1.1', ['host: x', ...OWN])
    const before = server.calls.length
    const sent = read.repeat(101) + NEXT.repeat(50)
    const connected = once(server.app.server, 'connection')
    const answering = server.raw(sent)
    const [socket]: Socket[] = await connected
    while ((socket?.bytesRead ?? 0) < sent.length) await new Promise(setImmediate)
    letGo()
    const answer = await answering
    expect(statuses(answer)).toEqual([...Array(100).fill(200), 429])
    expect(answer).toMatch(/retry-after: 1\r\n/)
    expect(server.calls).toHaveLength(before)
  })

  it('without a key are limited like others', async () => {
    const answer = await server.raw(lines('GET /api/v1/runs/run_1 HTTP/1.1', ['host: x']).repeat(500))
    expect(statuses(answer)).toEqual([...Array(100).fill(401), 429])
  })

  it('end it when they go on and on behind an answer that does not come', async () => {
    const never = await startServer({ handlers: { getRun: () => new Promise(() => {}) }, drainMs: 0 })
    try {
      const read = lines('GET /api/v1/runs/run_1 HTTP/1.1', ['host: x', ...OWN])
      expect(await never.raw(read.repeat(5000))).toBe('')
    } finally {
      await never.close()
    }
  })

  it('are unlimited if they follow one after the other', async () => {
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
