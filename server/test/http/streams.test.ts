import { afterEach, describe, expect, it } from 'vitest'
import type { EventSink } from '../../src/gateway/stream/event-sink.ts'
import { sseFrames } from '../../src/http/answers/sse-frame.ts'
import type { UseCases } from '../../src/http/use-cases.ts'
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

/** A stream use case that sends one event and stays open. */
const oneEvent = (event: StoredEvent = EVENT) => {
  const opened: { args: Parameters<UseCases['openEventStream']>; sink: EventSink }[] = []
  const openEventStream: UseCases['openEventStream'] = async (...args) => {
    const sink = args[3]()
    opened.push({ args, sink })
    sink.write(Buffer.from(sseFrames.event('conv_1', event)))
    return { kind: 'opened', end: () => sink.end() }
  }
  return { opened, openEventStream }
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
    const { openEventStream, opened } = oneEvent()
    const server = await start({ useCases: { openEventStream } })
    await server.rawUntil(/data:/, head(`${PATHS[0]}?after=3`, { 'last-event-id': '5' }))
    await server.rawUntil(/data:/, head(`${PATHS[1]}`))
    expect(opened.map(({ args }) => args.slice(0, 3))).toEqual([
      [{ appId: 'app_1', subject: 'subject-1' }, { conversationId: 'conv_1' }, { lastEventId: '5', after: '3' }],
      [{ appId: 'app_1', subject: 'subject-1' }, { runId: 'run_1' }, { lastEventId: undefined, after: undefined }],
    ])
  })

  it('is broken off when it fails after it has begun, and the log says why', async () => {
    const server = await start({
      useCases: {
        openEventStream: async (_tenant, _target, _position, connectSink) => {
          connectSink()
          throw new Error('no hub')
        },
      },
    })
    expect(await server.raw(head(PATHS[0] ?? ''))).toContain('retry: 1000')
    expect(server.lines).toContainEqual(expect.objectContaining({ message: 'fault' }))
  })

  it('ends when its key is not valid any more [AUTH-15]', async () => {
    const { openEventStream, opened } = oneEvent()
    const timers = createManualTimers()
    let isValid = true
    const server = await start({
      useCases: { openEventStream },
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
    const { openEventStream } = oneEvent({ ...EVENT, payload: '{"state":"running","mood":"good"}' })
    const server = await start({ useCases: { openEventStream } })
    expect(await server.raw(head(PATHS[0] ?? ''))).not.toContain('mood')
    expect(server.app.contractViolations).toEqual([expect.stringMatching(/^event: .*mood/)])
  })

  it('is ended when the server closes, which waits for that [SSE-30]', async () => {
    const { openEventStream, opened } = oneEvent()
    const server = await startServer({
      useCases: { openEventStream },
      endStreams: async () => {
        for (const { sink } of opened) sink.end()
      },
    })
    const answer = server.raw(head(PATHS[0] ?? ''))
    await expect.poll(() => opened.length).toBe(1)
    await server.close()
    expect(await answer).toMatch(/\r\n0\r\n\r\n$/)
  })
})
