import { afterEach, describe, expect, it } from 'vitest'
import type { EventSink } from '../../src/gateway/stream/event-sink.ts'
import type { OpenedStream } from '../../src/gateway/stream/open-stream.ts'
import { sseFrames } from '../../src/http/answers/sse-frame.ts'
import type { GatewayHandlers } from '../../src/http/handlers/gateway.ts'
import type { StoredEvent } from '../../src/store/history/events.ts'
import type { TestServer, TestServerOptions } from './support.ts'
import { HEADERS, startServer } from './support.ts'

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

  it('that sends what the contract does not know is broken off, and told', async () => {
    const { handlers } = oneEvent({ ...EVENT, payload: '{"state":"running","mood":"good"}' })
    const server = await start({ handlers })
    expect(await server.raw(head(PATHS[0] ?? ''))).not.toContain('mood')
    expect(server.app.contractViolations).toEqual([expect.stringMatching(/^event: .*mood/)])
  })
})
