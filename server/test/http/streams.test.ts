import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
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
  it('begins at once, with the headers that keep anything in the middle from holding it back [SSE-01, SSE-07, SSE-25, SSE-28, SSE-33, REQ-03]', async () => {
    for (const path of PATHS) {
      const { openEventStream } = oneEvent()
      const server = await start({ useCases: { openEventStream } })
      const answer = await server.rawUntil(
        /data: .*\n\n/,
        head(path, { 'accept-encoding': 'gzip', 'x-request-id': 'mine' }),
      )
      const [headers = '', body = ''] = answer.split('\r\n\r\n', 2)
      expect(headers).toMatch(/^HTTP\/1\.1 200 /)
      expect(headers.toLowerCase()).toContain('content-type: text/event-stream')
      expect(headers.toLowerCase()).toContain('cache-control: no-cache, no-transform')
      expect(headers.toLowerCase()).toContain('x-accel-buffering: no')
      expect(headers.toLowerCase()).toContain('x-request-id: mine')
      expect(headers.toLowerCase()).not.toContain('content-encoding')
      expect(body).toContain('retry: 1000\n\n')
      expect(answer).toContain('id: 7\nevent: run.started\ndata: {')
      expect(server.app.contractViolations).toEqual([])
    }
  })

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

  it('is refused with 406 to readers that do not accept it, before anything is opened [SSE-24, ERR-29]', async () => {
    const { openEventStream, opened } = oneEvent()
    const server = await start({ useCases: { openEventStream } })
    for (const path of PATHS)
      for (const accept of ['application/json', 'text/event-stream;q=0, */*']) {
        const { status, json } = await server.fetch(path, { headers: { accept } })
        expect([status, json.code]).toEqual([406, 'NOT_ACCEPTABLE'])
      }
    expect(opened).toEqual([])
    expect(server.app.contractViolations).toEqual([])
  })

  it('is refused with 400 at positions that are no seq [SSE-23]', async () => {
    const server = await start({})
    for (const position of ['-1', '1.0', 'evt_1', '0x1', '', '1e3', '%201', '%2B1', 'abc', '%D9%A1'])
      expect((await server.fetch(`${PATHS[0]}?after=${position}`)).status).toBe(400)
    for (const position of ['-1', 'evt_1', '1,2'])
      expect((await server.fetch(`${PATHS[0]}?after=1`, { headers: { 'last-event-id': position } })).status).toBe(400)
    expect(server.calls).toEqual([])
  })

  it('is refused as the use case says [ERR-12, ERR-34]', async () => {
    let code: 'CURSOR_EXPIRED' | 'STREAM_LIMIT' = 'CURSOR_EXPIRED'
    const server = await start({ useCases: { openEventStream: async () => refuse(code, 'Because.') } })
    const first = await server.fetch(PATHS[0] ?? '')
    expect([first.status, first.json.code]).toEqual([410, 'CURSOR_EXPIRED'])
    code = 'STREAM_LIMIT'
    const second = await server.fetch(PATHS[1] ?? '')
    expect([second.status, second.json.code, second.headers.get('retry-after')]).toEqual([429, 'STREAM_LIMIT', '1'])
    expect(server.app.contractViolations).toEqual([])
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
