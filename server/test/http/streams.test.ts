import { afterEach, describe, expect, it } from 'vitest'
import type { EventSink } from '../../src/gateway/stream/event-sink.ts'
import type { OpenedStream } from '../../src/gateway/stream/open-stream.ts'
import { sseFrames } from '../../src/http/answers/sse-frame.ts'
import type { GatewayHandlers } from '../../src/http/handlers/gateway.ts'
import type { StoredEvent } from '../../src/store/history/events.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import type { TestServer, TestServerOptions } from './support.ts'
import { HEADERS, oneKey, startServer } from './support.ts'

const EVENT: StoredEvent = {
  seq: 7,
  eventId: 'evt_7',
  generation: 1,
  runId: 'run_1',
  messageId: 'msg_1',
  type: 'run.started',
  payload: '{"state":"running"}',
  createdAt: new Date(0),
}

/** Handlers of streams that send one event and stay open. */
const oneEvent = (event: StoredEvent = EVENT) => {
  const opened: EventSink[] = []
  const open = async ({ connect }: { readonly connect: () => EventSink }): Promise<OpenedStream> => {
    const sink = connect()
    opened.push(sink)
    sink.write(Buffer.from(sseFrames.event('conv_1', event)))
    return { kind: 'opened', end: () => sink.end() }
  }
  const handlers: Partial<GatewayHandlers> = { streamConversationEvents: open, streamRunEvents: open }
  return { opened, handlers }
}

const servers: TestServer[] = []
const start = async (options: TestServerOptions): Promise<TestServer> => {
  const server = await startServer(options)
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const PATHS = ['/api/v1/conversations/conv_1/events', '/api/v1/runs/run_1/events']
const head = (path: string, headers: Record<string, string> = {}) =>
  `GET ${path} HTTP/1.1\r\n${Object.entries({ host: 'x', ...HEADERS, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

describe('an event stream', () => {
  it('is asked for by target and position, header and query both [SSE-03, SSE-04]', async () => {
    const server = await start({})
    await server.fetch(`${PATHS[0]}?after=3`, { headers: { 'last-event-id': '5' } })
    await server.fetch(`${PATHS[1]}`)
    const tenant = { appId: 'app_1', subject: 'subject-1' }
    expect(server.calls.map(({ request }) => request)).toMatchObject([
      { tenant, path: { conversation_id: 'conv_1' }, query: { after: '3' }, header: { 'Last-Event-ID': '5' } },
      { tenant, path: { run_id: 'run_1' }, query: {}, header: {} },
    ])
  })

  it('is broken off when it fails after it has begun, and the log says why', async () => {
    const server = await start({
      handlers: {
        streamConversationEvents: async ({ connect }) => {
          connect()
          throw new Error('no hub')
        },
      },
    })
    expect(await server.raw(head(PATHS[0] ?? ''))).toContain('retry: 1000')
    expect(server.lines).toContainEqual(expect.objectContaining({ message: 'fault' }))
  })

  it('ends when its key is not valid any more [AUTH-15]', async () => {
    const { handlers, opened } = oneEvent()
    const timers = createManualTimers()
    let isValid = true
    const server = await start({
      handlers,
      timers,
      authenticator: { ...oneKey(), isStillValid: async () => isValid },
    })
    const answer = server.rawUntil(/\r\n0\r\n\r\n$/, head(PATHS[0] ?? ''))
    await expect.poll(() => opened.length).toBe(1)
    timers.advance(1000)
    isValid = false
    timers.advance(1000)
    expect(await answer).toContain('id: 7')
  })

  it('that sends what the contract does not know is broken off, and told', async () => {
    const { handlers } = oneEvent({ ...EVENT, payload: '{"state":"running","mood":"good"}' })
    const server = await start({ handlers })
    expect(await server.raw(head(PATHS[0] ?? ''))).not.toContain('mood')
    expect(server.app.contractViolations).toEqual([expect.stringMatching(/^event: .*mood/)])
  })

  it('is ended when the server closes, which waits for that [SSE-30]', async () => {
    const { handlers, opened } = oneEvent()
    const server = await startServer({
      handlers,
      endStreams: async () => {
        for (const sink of opened) sink.end()
      },
    })
    const answer = server.raw(head(PATHS[0] ?? ''))
    await expect.poll(() => opened.length).toBe(1)
    await server.close()
    expect(await answer).toMatch(/\r\n0\r\n\r\n$/)
  })
})
