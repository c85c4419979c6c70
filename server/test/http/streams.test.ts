import { describe, expect, it, onTestFinished } from 'vitest'
import type { EventSink } from '../../src/gateway/stream/event-sink.ts'
import type { OpenedStream } from '../../src/gateway/stream/open-stream.ts'
import { sseFrames } from '../../src/http/answers/sse-frame.ts'
import type { StoredEvent } from '../../src/store/history/events.ts'
import { requestHead, startServer } from './support.ts'

/** Has an undocumented member in its payload. */
const INVALID_EVENT: StoredEvent = {
  seq: 7,
  eventId: 'evt_7',
  generation: 1,
  runId: 'run_1',
  messageId: 'msg_1',
  type: 'run.started',
  payload: '{"state":"running","mood":"good"}',
  createdAt: new Date(0),
}

/** Opens an event stream whose handler calls `handle` with its sink. */
const openStream = async (handle: (sink: EventSink) => OpenedStream) => {
  const server = await startServer({ handlers: { streamRunEvents: async ({ connect }) => handle(connect()) } })
  onTestFinished(() => server.close())
  return { server, received: await server.raw(requestHead('GET /api/v1/runs/run_1/events')) }
}

describe('an open event stream', () => {
  it('ends if its handler fails, and the log has the cause', async () => {
    const { server, received } = await openStream(() => {
      throw new Error('no hub')
    })
    expect(received).toContain('retry: 1000')
    const err = expect.objectContaining({ message: 'no hub' })
    expect(server.lines).toContainEqual(expect.objectContaining({ message: 'fault', err }))
  })

  it('ends before an event that breaks the contract, and reports the violation', async () => {
    const { server, received } = await openStream((sink) => {
      sink.write(Buffer.from(sseFrames.event('conv_1', INVALID_EVENT)))
      return { kind: 'opened', end: () => sink.end() }
    })
    expect(received).not.toContain('mood')
    expect(server.app.contractViolations).toEqual([expect.stringMatching(/^event: .*mood/)])
  })
})
