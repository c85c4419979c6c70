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
/** What a handler waits for before it begins its stream. */
let gate: Promise<void>
let sinks: EventSink[]
let responses: ServerResponse[]

beforeEach(async () => {
  log = createMemoryLog()
  hub = createTestHub(log)
  gate = Promise.resolve()
  sinks = []
  responses = []
  app = fastify({ requestIdHeader: 'x-request-id', forceCloseConnections: true })
  app.get<{ Querystring: { after?: string } }>('/events', async (request, reply) => {
    reply.header('x-from-a-hook', 'yes')
    await gate
    const sink = beginEventStream(reply)
    sinks.push(sink)
    responses.push(reply.raw)
    hub.serve(sink, { after: Number(request.query.after ?? 0) })
  })
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})

afterEach(() => app.close())

/** A reader as a browser would be. */
const open = async (after = 0, headers: Record<string, string> = {}) => {
  const abort = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/events?after=${after}`, { headers, signal: abort.signal })
  const seqs: number[] = []
  const comments: string[] = []
  let text = ''
  const parser = createParser({
    onEvent: ({ id }) => seqs.push(Number(id)),
    onComment: (comment) => comments.push(comment),
  })
  const read = async (): Promise<'complete' | 'broken off'> => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        const decoded = decoder.decode(chunk, { stream: true })
        text += decoded
        parser.feed(decoded)
      }
      return 'complete'
    } catch {
      return 'broken off'
    }
  }
  return { response, seqs, comments, text: () => text, end: read(), abort: () => abort.abort() }
}

/** A reader that takes bytes off its connection only when told to. */
const openRaw = async (): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.pause()
  socket.write('GET /events?after=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  return socket
}

describe('an event stream', () => {
  it('adds one listener to the response, however many parts of it wait for the end', async () => {
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

  it('carries a frame of several megabytes whole', async () => {
    const stream = await open()
    log.append(null, 'ü'.repeat(4 * 1024 * 1024))
    hub.hint()
    await untilHolds(() => expect(stream.seqs).toEqual([1]))
    expect(hub.hub.openStreams()).toBe(1)
  })

  it('is over for the gateway as soon as its reader has closed it', async () => {
    const stream = await open()
    expect(hub.hub.openStreams()).toBe(1)
    stream.abort()
    expect(await stream.end).toBe('broken off')
    await untilHolds(() => expect(hub.hub.openStreams()).toBe(0))
  })

  it('is over at once when its reader has gone before it began', async () => {
    let goOn = (): void => {}
    gate = new Promise((resolve) => {
      goOn = resolve
    })
    const accepted = once(app.server, 'request')
    const socket = await openRaw()
    await accepted
    socket.destroy()
    await untilHolds(async () => expect(await countConnections()).toBe(0))
    goOn()
    await untilHolds(() => expect(sinks).toHaveLength(1))
    await untilHolds(() => expect(hub.hub.openStreams()).toBe(0))
  })
})

const countConnections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })

describe('a reader that does not read', () => {
  it('is cut off while at most 1 MiB waits for it, and resumes without a gap [SSE-29]', async () => {
    const text = 'x'.repeat(200 * 1024)
    const socket = await openRaw()
    await untilHolds(() => expect(hub.hub.openStreams()).toBe(1))
    let most = 0
    await untilHolds(() => {
      if (hub.hub.openStreams() === 0) return
      most = Math.max(most, sinks[0]?.bufferedBytes ?? 0)
      log.append(null, text)
      hub.hint()
      expect(hub.hub.openStreams()).toBe(0)
    })
    // Frames wait inside their chunks.
    expect(most).toBeLessThanOrEqual(1024 * 1024 + 1024)

    let received = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    if (!socket.closed) await once(socket.resume(), 'close')
    const seqs: number[] = []
    const parser = createParser({ onEvent: ({ id }) => seqs.push(Number(id)) })
    parser.feed(received.slice(received.indexOf('retry:')).replaceAll(/\r\n[0-9a-f]+\r\n/g, ''))
    expect(seqs.length).toBeLessThan(log.lastSeq)

    const resumed = await open(seqs.at(-1) ?? 0)
    await untilHolds(() => expect([...seqs, ...resumed.seqs]).toEqual(log.seqsAfter(0, null)))
  })
})
