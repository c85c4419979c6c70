import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type CallbackEvent,
  type CallbackReceiver,
  createReceiver,
  memoryCallbackStore,
  SignatureError,
  signCallback,
  toExpressHandler,
  toFastifyPlugin,
  toFetchHandler,
  toNodeHandler,
} from '../../src/callbacks/index.ts'
import { type Listening, listen } from '../support/listening.ts'
import { collectUnhandled } from '../support/unhandled.ts'

const secret = 'callback-secret'
const MAX_BODY_BYTES = 100_000

let events: CallbackEvent[]
let errors: unknown[]
let receiver: CallbackReceiver

beforeEach(() => {
  events = []
  errors = []
  receiver = createReceiver({
    secret,
    store: memoryCallbackStore(),
    onEvent: (event) => {
      events.push(event)
    },
    onError: (error) => errors.push(error),
    maxBodyBytes: MAX_BODY_BYTES,
  })
})

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const opened = <T extends { close(): Promise<unknown> }>(each: T): T => {
  open.push(each)
  return each
}

/** Sends a request to `/callbacks`. */
type Send = (init: RequestInit) => Promise<Response>

const overHttp =
  ({ url }: Pick<Listening, 'url'>): Send =>
  (init) =>
    fetch(`${url}/callbacks`, init)

const nodeSend = async (): Promise<Send> => overHttp(opened(await listen(toNodeHandler(receiver))))

const expressSend = async (prepare: (app: express.Express) => void = () => {}): Promise<Send> => {
  const app = express()
  prepare(app)
  app.all('/callbacks', toExpressHandler(receiver))
  return overHttp(opened(await listen(app)))
}

const fastifySend = async (): Promise<Send> => {
  const app = opened(fastify({ forceCloseConnections: true }))
  app.post('/echo', async (request) => request.body)
  await app.register(toFastifyPlugin(receiver, { url: '/callbacks' }))
  return overHttp({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })
}

const fetchSend = async (): Promise<Send> => {
  const handle = toFetchHandler(receiver)
  return (init) => handle(new Request('http://receiver.invalid/callbacks', init))
}

const event = (note = 'Grüße 🙂') => ({ event_id: 'evt_1', type: 'run.annotated', payload: { note } })
const callback = async (sent: { event_id: string } = event()): Promise<RequestInit> => ({
  method: 'POST',
  ...(await signCallback(sent, { secret })),
})

/** A body of unknown length in pieces; short ones cut it in the middle of characters. */
const inPieces = (init: RequestInit, length: number): RequestInit => {
  const { body } = init
  if (!(body instanceof Uint8Array)) throw new TypeError('the callback has no bytes')
  const bytes: Uint8Array = body
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += length) controller.enqueue(bytes.slice(at, at + length))
      controller.close()
    },
  })
  return Object.assign({ ...init, body: stream }, { duplex: 'half' })
}

describe.each([
  ['Node http', nodeSend],
  ['Express', () => expressSend()],
  ['Fastify', fastifySend],
  ['Fetch', fetchSend],
])('%s', (_name, start) => {
  it('receives a callback, its repeat, and a conflicting one', async () => {
    const send = await start()
    const first = await send(await callback())
    expect([first.status, await first.json()]).toEqual([200, { outcome: 'new' }])
    expect(first.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await (await send(await callback())).json()).toEqual({ outcome: 'duplicate' })
    expect((await send(await callback(event('other')))).status).toBe(409)
    expect(events).toEqual([event()])
  })

  it('[SIG-20] verifies the raw bytes: accepts them in pieces that split characters, and refuses reformatted JSON', async () => {
    const send = await start()
    expect((await send(inPieces(await callback(), 7))).status).toBe(200)
    const spaced = new TextEncoder().encode(JSON.stringify(event(), null, 2))
    const init = await callback()
    expect((await send({ ...init, body: spaced })).status).toBe(401)
  })

  it('answers 401 without a signature, and 415 to a type other than JSON', async () => {
    const send = await start()
    const { body = null } = await callback()
    const unsigned = await send({ method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect([unsigned.status, await unsigned.json()]).toEqual([401, { outcome: 'missing_header' }])
    const text = await send({ method: 'POST', body, headers: { 'content-type': 'text/plain' } })
    expect(text.status).toBe(415)
  })

  it('answers 413 to a body above the limit, whether its length is announced or not', async () => {
    const send = await start()
    const announced = await callback(event('x'.repeat(MAX_BODY_BYTES)))
    expect((await send(announced)).status).toBe(413)
    expect((await send(inPieces(announced, 10_000))).status).toBe(413)
    expect(events).toEqual([])
    expect((await send(await callback())).status).toBe(200)
  })
})

it.each([
  ['Node http', nodeSend],
  ['Express', () => expressSend()],
  ['Fetch', fetchSend],
])('%s answers 405 to other methods', async (_name, start) => {
  const response = await (await start())({ method: 'GET' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
})

it.each([
  ['express.json()', () => express.json()],
  ['express.text()', () => express.text({ type: '*/*' })],
  ['express.urlencoded() and express.json()', () => [express.urlencoded(), express.json()]],
])('Express answers 500 and reports to the developer that %s ran before', async (_name, parser) => {
  const send = await expressSend((app) => app.use(parser()))
  const response = await send(await callback())
  expect([response.status, await response.json()]).toMatchObject([
    500,
    { outcome: 'parsed_body', message: expect.stringMatching(/before it/) },
  ])
  expect(errors).toEqual([expect.any(SignatureError)])
  expect(events).toEqual([])
})

it('Express uses the bytes of express.raw(), and reads the body itself when no parser has read it', async () => {
  for (const parser of [express.raw({ type: 'application/json' }), express.urlencoded({ extended: false })]) {
    const send = await expressSend((app) => app.use(parser))
    expect((await send(await callback())).status).toBe(200)
    expect((await send(await callback(event('x'.repeat(MAX_BODY_BYTES))))).status).toBe(413)
  }
})

it('Express uses the bytes that a platform keeps beside the parsed body', async () => {
  const keep = express.json({
    verify: (request, _response, bytes) => {
      Object.assign(request, { rawBody: bytes })
    },
  })
  const send = await expressSend((app) => app.use(keep))
  expect((await send(await callback())).status).toBe(200)
})

it('Fetch answers 500 and reports to the developer that the body was already read', async () => {
  const request = new Request('http://receiver.invalid/', await callback())
  await request.json()
  const response = await toFetchHandler(receiver)(request)
  expect([response.status, await response.json()]).toMatchObject([500, { message: expect.stringMatching(/clone/) }])
})

it('Fastify keeps the parsers of the other routes', async () => {
  const app = opened(fastify())
  app.post('/echo', async (request) => ({ parsed: request.body }))
  await app.register(toFastifyPlugin(receiver, { url: '/callbacks' }), { prefix: '/gateway' })
  const echo = await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } })
  expect(echo.json()).toEqual({ parsed: { a: 1 } })
  const { headers, body } = await signCallback(event(), { secret })
  const received = await app.inject({ method: 'POST', url: '/gateway/callbacks', headers, payload: Buffer.from(body) })
  expect(received.json()).toEqual({ outcome: 'new' })
})

it('survives a sender that disconnects in the middle of the body', async () => {
  const failed = Promise.withResolvers<unknown>()
  receiver = createReceiver({ secret, store: memoryCallbackStore(), onError: failed.resolve })
  const server = opened(await listen(toNodeHandler(receiver)))
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"event_id"')
  socket.end()
  expect(await failed.promise).toMatchObject({ message: expect.stringMatching(/closed before/) })
  expect((await overHttp(server)(await callback())).status).toBe(200)
})

/** Sends the head and a part of the body, and disconnects when the request has arrived. */
const leaveEarly = (port: number, arrived: Promise<unknown>): void => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    'POST /callbacks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"event_id"',
  )
  void arrived.then(() => socket.destroy())
}

/** Reports the request's arrival, and resolves when the sender has disconnected. */
const untilGone = (arrive: () => void, request: IncomingMessage): Promise<unknown> => {
  const gone = new Promise((resolve) => request.on('close', resolve))
  arrive()
  return gone
}

describe('a sender that disconnects before the body is read', () => {
  const STARTS: readonly [string, (arrive: () => void) => Promise<number>][] = [
    [
      'Node http',
      async (arrive) => {
        const handle = toNodeHandler(receiver)
        const late: RequestListener = (request, response) =>
          void untilGone(arrive, request).then(() => handle(request, response))
        return opened(await listen(late)).port
      },
    ],
    [
      'Express',
      async (arrive) => {
        const app = express()
        app.use((request, _response, next) => void untilGone(arrive, request).then(() => next()))
        app.post('/callbacks', toExpressHandler(receiver))
        return opened(await listen(app)).port
      },
    ],
    [
      'Fastify',
      async (arrive) => {
        const app = opened(fastify({ forceCloseConnections: true }))
        app.addHook('onRequest', async (request) => void (await untilGone(arrive, request.raw)))
        await app.register(toFastifyPlugin(receiver, { url: '/callbacks' }))
        return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
      },
    ],
  ]

  it.each(STARTS)('is noticed by %s', async (_name, start) => {
    const arrived = Promise.withResolvers<void>()
    const failed = Promise.withResolvers<unknown>()
    receiver = createReceiver({ secret, store: memoryCallbackStore(), onError: failed.resolve })
    leaveEarly(await start(arrived.resolve), arrived.promise)
    expect(await failed.promise).toMatchObject({ message: expect.stringMatching(/closed before/) })
  })

  it.each(['before', 'while'])('is noticed by Fetch through the signal alone, %s it reads', async (when) => {
    const caller = new AbortController()
    const silent = new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(new Uint8Array(1)) })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, signal: caller.signal }
    if (when === 'before') caller.abort()
    const answered = toFetchHandler(receiver)(
      new Request('http://receiver.invalid/', Object.assign({ ...init, body: silent }, { duplex: 'half' })),
    )
    caller.abort()
    expect((await answered).status).toBe(500)
    expect(errors).toMatchObject([{ message: expect.stringMatching(/closed before/) }])
  })
})

it('Fetch answers a cloned request with a long body without waiting until the original is read', async () => {
  const init = inPieces(await callback(event('x'.repeat(MAX_BODY_BYTES))), 10_000)
  const request = new Request('http://receiver.invalid/', init)
  expect((await toFetchHandler(receiver)(request.clone())).status).toBe(413)
  expect(request.bodyUsed).toBe(false)
})

describe('a request that another component has answered', () => {
  const answer = (response: ServerResponse): void => void response.writeHead(503).end('too late')

  it.each<[string, (handle: () => void) => Promise<string>]>([
    [
      'Node http',
      async (ended) => {
        const handle = toNodeHandler(receiver)
        const listener: RequestListener = (request, response) => {
          answer(response)
          void handle(request, response).then(ended)
        }
        return opened(await listen(listener)).url
      },
    ],
    [
      'Express',
      async (ended) => {
        const handle = toExpressHandler(receiver)
        const app = express()
        app.use((_request, response, next) => {
          answer(response)
          next()
        })
        app.post('/callbacks', (request, response) => handle(request, response).then(ended))
        return opened(await listen(app)).url
      },
    ],
    [
      'Fastify',
      async (ended) => {
        const app = opened(fastify({ forceCloseConnections: true }))
        app.addHook('preHandler', async (_request, reply) => answer(reply.raw))
        app.addHook('onResponse', async () => ended())
        await app.register(toFastifyPlugin(receiver, { url: '/callbacks' }))
        return app.listen({ host: '127.0.0.1', port: 0 })
      },
    ],
  ])('keeps that answer, without an unhandled error, with %s', async (_name, start) => {
    const unhandled = collectUnhandled()
    const ended = Promise.withResolvers<void>()
    const url = await start(ended.resolve)
    expect((await overHttp({ url })(await callback())).status).toBe(503)
    await ended.promise
    expect(await unhandled()).toEqual([])
  })
})
