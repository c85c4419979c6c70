import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createParser } from 'eventsource-parser'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventSink } from '../../src/gateway/stream/event-sink.ts'
import { beginEventStream } from '../../src/http/answers/event-stream.ts'
import { createMemoryLog, type MemoryLog } from '../support/memory-log.ts'
import { createTestHub, type TestHub } from '../support/test-hub.ts'
import { untilHolds } from '../support/until-holds.ts'

let app: FastifyInstance
let log: MemoryLog
let hub: TestHub
let port: number
/** The handler begins the stream when this promise has resolved. */
let gate: Promise<void>
let sinks: EventSink[]
let responses: ServerResponse[]

beforeEach(async () => {
  log = createMemoryLog()
  hub = createTestHub(log)
  gate = Promise.resolve()
  sinks = []
  responses = []
  app = fastify({ forceCloseConnections: true })
  app.get('/events', async (_request, reply) => {
    await gate
    const sink = beginEventStream(reply)
    sinks.push(sink)
    responses.push(reply.raw)
    hub.serve(sink, { after: 0 })
  })
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})

afterEach(() => app.close())

/** Reads the stream like a browser. */
const open = async () => {
  const abort = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/events`, { signal: abort.signal })
  const seqs: number[] = []
  const parser = createParser({ onEvent: ({ id }) => seqs.push(Number(id)) })
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
  }
  // Aborting the request ends it with an error.
  read().catch(() => {})
  return { seqs, abort: () => abort.abort() }
}

/** Opens a stream and reads none of its bytes. */
const openRaw = async (): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.pause()
  socket.write('GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  return socket
}

describe('an event stream', () => {
  it('adds one listener to the response for all its close callbacks', async () => {
    const stream = await open()
    const sink = sinks[0]
    if (sink === undefined) throw new Error('The stream has no sink.')
    const response = responses[0]
    const before = response?.listenerCount('close')
    const ended: number[] = []
    for (let i = 0; i < 20; i++) sink.onClose(() => ended.push(i))
    expect(response?.listenerCount('close')).toBe(before)
    stream.abort()
    await untilHolds(() => expect(ended).toHaveLength(20))
  })

  it('sends a frame of several megabytes', async () => {
    const stream = await open()
    log.append(null, 'ü'.repeat(4 * 1024 * 1024))
    hub.hint()
    await untilHolds(() => expect(stream.seqs).toEqual([1]))
    expect(hub.hub.openStreams()).toBe(1)
  })

  it('is closed at once if its reader disconnected before it began', async () => {
    const { promise, resolve: begin } = Promise.withResolvers<void>()
    gate = promise
    const accepted = once(app.server, 'request')
    const socket = await openRaw()
    await accepted
    socket.destroy()
    await untilHolds(async () => expect(await countConnections()).toBe(0))
    begin()
    await untilHolds(() => expect(sinks).toHaveLength(1))
    await untilHolds(() => expect(hub.hub.openStreams()).toBe(0))
  })
})

const countConnections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })

describe('a reader that does not read', () => {
  it('is disconnected before more than 1 MiB is buffered for it [SSE-29]', async () => {
    const socket = await openRaw()
    await untilHolds(() => expect(hub.hub.openStreams()).toBe(1))
    let maxBytes = 0
    await untilHolds(() => {
      if (hub.hub.openStreams() === 0) return
      maxBytes = Math.max(maxBytes, sinks[0]?.bufferedBytes ?? 0)
      log.append(null, 'x'.repeat(200 * 1024))
      hub.hint()
      expect(hub.hub.openStreams()).toBe(0)
    })
    // The chunked encoding adds some bytes.
    expect(maxBytes).toBeLessThanOrEqual(1024 * 1024 + 1024)
    socket.destroy()
  })
})
