import type { IncomingHttpHeaders, Server } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach } from 'vitest'
import type { Fault, FaultProxy } from '../../src/run/fault-proxy/index.ts'
import { startFaultProxy } from '../../src/run/fault-proxy/index.ts'

/** The content of `/events`. */
export const EVENTS: readonly string[] = [
  'retry: 1000\n\n',
  'id: 1\ndata: {"text":"é"}\n\n',
  ': ping\n\n',
  'id: 2\ndata: {"text":"𝄞"}\n\n',
]

/** A target that records its requests. */
export interface TestTarget {
  readonly origin: string
  readonly arrived: {
    readonly method: string
    readonly path: string
    readonly headers: IncomingHttpHeaders
    readonly body: string
  }[]
  readonly sockets: ReadonlySet<Socket>
  close(): Promise<void>
}

/**
 * Answers with JSON that contains its name, or with an event stream: one that ends at `/events`, and an open one at
 * `/events/live`.
 */
export const startTarget = async (name: string): Promise<TestTarget> => {
  const arrived: TestTarget['arrived'] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer(async (request, response) => {
    // Makes equal answers have equal bytes.
    response.sendDate = false
    const { method = '', url: path = '', headers } = request
    const body = (await buffer(request)).toString()
    arrived.push({ method, path, headers, body })
    if (!path.startsWith('/events')) return response.end(JSON.stringify({ name, count: arrived.length }))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of EVENTS) response.write(event)
    if (path !== '/events/live') response.end()
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    arrived,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Received {
  /** Decoded as latin1, so that each byte is a character. */
  readonly text: string
  /** Sizes of the received pieces. */
  readonly sizes: readonly number[]
  readonly ending: 'end' | 'reset'
}

export interface RawClient {
  readonly socket: Socket
  readonly received: Promise<Received>
  text(): string
  /** Resolves when `part` has arrived. */
  until(part: string): Promise<void>
}

/** Makes a request and exposes each byte of the answer. */
export const rawRequest = (origin: string, path = '/answer', { method = 'GET', body = '' } = {}): RawClient => {
  const { port, host } = new URL(origin)
  const socket = connect(Number(port), '127.0.0.1')
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nIdempotency-Key: k1\r\n${length}\r\n${body}`)
  let text = ''
  const sizes: number[] = []
  const received = new Promise<Received>((resolve) => {
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
      sizes.push(piece.length)
    })
    socket.on('end', () => resolve({ text, sizes, ending: 'end' }))
    socket.on('error', () => resolve({ text, sizes, ending: 'reset' }))
  })
  const until = (part: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (text.includes(part)) resolve()
      }
      socket.on('data', look)
      look()
    })
  return { socket, received, text: () => text, until }
}

/** The proxy and the target of each test of a file; both are closed after it. */
export const useProxy = (): {
  readonly proxy: FaultProxy
  readonly target: TestTarget
  /** Makes a plain request under this fault. */
  receive(fault: Fault | readonly Fault[], path?: string): Promise<Received>
  request(path?: string, options?: { method?: string; body?: string }): RawClient
} => {
  let started: { readonly proxy: FaultProxy; readonly target: TestTarget } | undefined
  const current = () => {
    if (started === undefined) throw new Error('there is a proxy only while a test runs')
    return started
  }
  beforeEach(async () => {
    const target = await startTarget('first')
    started = { target, proxy: await startFaultProxy({ target: target.origin }) }
  })
  afterEach(async () => {
    await current().proxy.close()
    await current().target.close()
  })
  const request = (path?: string, options?: { method?: string; body?: string }) =>
    rawRequest(current().proxy.origin, path, options)
  return {
    get proxy() {
      return current().proxy
    },
    get target() {
      return current().target
    },
    request,
    receive: (fault, path) => {
      current().proxy.inject({ fault })
      return request(path).received
    },
  }
}

/** The bytes after the head. */
export const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4)

/** The content of a chunked body. */
export const contentOf = (text: string): string => {
  let content = ''
  for (let rest = bodyOf(text); ; ) {
    const size = Number.parseInt(rest, 16)
    if (!(size > 0)) return content
    const start = rest.indexOf('\r\n') + 2
    content += rest.slice(start, start + size)
    rest = rest.slice(start + size + 2)
  }
}

/** Decodes the bytes as UTF-8. */
export const utf8 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString()
