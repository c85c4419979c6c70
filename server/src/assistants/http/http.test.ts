import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { PostedRun, Respond } from '../../../test/support/http-service.ts'
import { answer, ndjson, startHttpService, verifyRun } from '../../../test/support/http-service.ts'
import { createManualTimers } from '../../../test/support/manual-timers.ts'
import { createRequest, inputOf, play } from '../../../test/support/play-assistant.ts'
import { systemTimers } from '../../runtime/timers.ts'
import type { AssistantRequest } from '../assistant.ts'
import { createHttp } from './http.ts'

const SECRET = 'whsec_of_the_service'
const NOW = new Date('2026-03-02T10:00:00.000Z')

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const startService = async (respond: Respond) => {
  const service = await startHttpService(respond)
  closing.push(service.close)
  return service
}

const create = (url: string, timers: Parameters<typeof createHttp>[1]['timers'] = systemTimers) => {
  const logged: string[] = []
  const assistant = createHttp(
    {
      openTarget: async () => ({ url: new URL(url), secret: SECRET }),
      tokenOf: ({ runId }) => `token of ${runId}`,
      firstByteMs: 5000,
    },
    {
      timers,
      nowMs: () => NOW.getTime(),
      log: { warn: (fields, message) => logged.push(`${message} ${JSON.stringify(fields)}`) },
    },
  )
  return { assistant, logged }
}

/** Posts a run to a service that responds like this. */
const run = async (respond: Respond, request: Partial<AssistantRequest> = {}, decision?: 'approved' | 'denied') => {
  const { url, runs: calls } = await startService(respond)
  const { assistant, logged } = create(url)
  return { ...(await play(assistant, request, decision)), calls, logged: logged.join('\n') }
}

const SUCCEEDED = { end: { state: 'succeeded' } }
const SEARCH = { activity_id: 'search', kind: 'tool', name: 'search', state: 'succeeded' }

describe('the request', () => {
  it('contains the run, with its data as it was sent, and is signed with the service’s secret', async () => {
    const { calls } = await run(ndjson(SUCCEEDED), {
      input: { text: null, data: {}, dataText: '{"10": 1, "9": 2.0}', resourceIds: ['res_1'] },
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      readContext: async () => [
        { role: 'user', ...inputOf({ text: 'before', data: null, resourceIds: [] }) },
        { role: 'assistant', ...inputOf({ text: 'found', data: null, resourceIds: [] }), activities: [SEARCH] },
      ],
    })
    expect(calls.length).toBe(1)
    const [{ path, headers, body }] = calls as [PostedRun]
    expect(path).toBe('/run?token=very-secret')
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'run_1' })
    expect(headers.traceparent).toMatch(/^00-0af7/)
    expect(verifyRun({ headers, body }, SECRET, NOW)).toEqual({ ok: true, id: 'run_1' })
    expect(body.toString()).toContain('"data":{"10": 1, "9": 2.0}')
    expect(JSON.parse(body.toString())).toEqual({
      run_id: 'run_1',
      app_id: 'app_1',
      subject: 'subject',
      conversation_id: 'conv_1',
      message_id: 'msg_1',
      generation: 1,
      endpoint_id: 'ep_1',
      binding_version: 1,
      deadline: '2030-01-01T00:00:00.000Z',
      run_token: 'token of run_1',
      input: { text: null, data: { '10': 1, '9': 2 }, resource_ids: ['res_1'] },
      context: [
        { role: 'user', text: 'before', data: null, resource_ids: [] },
        { role: 'assistant', text: 'found', data: null, resource_ids: [], activities: [SEARCH] },
      ],
    })
  })
})

describe('the answer', () => {
  const steps = [{ delta: 'Grüße ' }, { message: 'aside' }, { delta: '\u{1f600}' }]
  const lines = [...steps, SUCCEEDED].map((step) => JSON.stringify(step))
  it.each([
    ['NDJSON', 'application/x-ndjson', lines.map((line) => `${line}\n`)],
    ['NDJSON with empty lines, CRLF and no last newline', 'application/x-ndjson', ['\r\n', `${lines.join('\r\n\n')}`]],
    ['NDJSON in single bytes', 'application/x-ndjson', Array.from(Buffer.from(lines.join('\n')), (b) => Buffer.of(b))],
    [
      'events',
      'text/event-stream; charset=utf-8',
      [': ping\n\n', ...lines.map((line) => `event: step\ndata: ${line}\n\n`)],
    ],
    [
      'events in single bytes',
      'TEXT/EVENT-STREAM',
      Array.from(Buffer.from(lines.map((l) => `data:${l}\r\n\r\n`).join('')), (b) => Buffer.of(b)),
    ],
  ])('can be %s', async (_, contentType, pieces) => {
    const { steps: taken, outcome } = await run(answer(contentType, ...pieces))
    expect([taken, outcome]).toEqual([steps, { state: 'succeeded' }])
  })

  it('can be one JSON object with `end`', async () => {
    const end = { state: 'succeeded', text: 'done', resource_ids: ['res_1'] }
    const { outcome } = await run(answer('application/json', JSON.stringify({ end }, null, 2)))
    expect(outcome).toEqual({ state: 'succeeded', text: 'done', resourceIds: ['res_1'] })
  })

  it('ends with its `end`; the gateway ignores the rest and closes the connection', async () => {
    const { outcome, calls } = await run((response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write(`${JSON.stringify(SUCCEEDED)}\n{"delta":"late"}\n`)
    })
    expect(outcome).toEqual({ state: 'succeeded' })
    await calls[0]?.closed
  })
})

describe('a missing or invalid answer fails the run with a specific code', () => {
  const line = (bytes: number) => `{"delta":"${'a'.repeat(bytes - 12)}"}`
  const status =
    (code: number, headers = {}): Respond =>
    (response) =>
      response.writeHead(code, headers).end(`you sent ${SECRET}`)
  it.each<[string, Respond, string, boolean, RegExp]>([
    ['status 400', status(400), 'ASSISTANT_REFUSED', false, /expected status 200; got 400/],
    ['status 204', status(204), 'ASSISTANT_REFUSED', false, /got 204/],
    ['status 503', status(503), 'ASSISTANT_UNAVAILABLE', true, /got 503/],
    ['a redirect', status(307, { location: '/' }), 'ASSISTANT_REFUSED', false, /redirects are not followed/],
    ['HTML', answer('text/html', 'x'), 'ASSISTANT_ANSWER_INVALID', false, /x-ndjson.*got "text\/html"/],
    ['no type', (response) => response.end('{}'), 'ASSISTANT_ANSWER_INVALID', false, /got none/],
    [
      'a compressed answer',
      (response) =>
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x'),
      'ASSISTANT_ANSWER_INVALID',
      false,
      /without content-encoding/,
    ],
    ['no HTTP', (response) => response.socket?.end('hello\r\n\r\n'), 'ASSISTANT_ANSWER_INVALID', false, /HTTP\/1.1/],
    ['nothing', (response) => response.destroy(), 'ASSISTANT_DISCONNECTED', true, /ECONNRESET/],
    ['no JSON', answer('application/x-ndjson', 'data\n'), 'ASSISTANT_ERROR', false, /step 1 is not JSON/],
    [
      'bad UTF-8',
      answer('application/x-ndjson', Buffer.from('{"delta":"\xff"}\n', 'latin1')),
      'ASSISTANT_ERROR',
      false,
      /UTF-8/,
    ],
    ['an unknown step', ndjson({ think: 'a' }), 'ASSISTANT_ERROR', false, /\/think is not a known member/],
    ['two members', ndjson({ delta: 'a', message: 'b' }), 'ASSISTANT_ERROR', false, /at most 1 member/],
    ['a state alone', ndjson({ state: {} }), 'ASSISTANT_ERROR', false, /Step 1/],
    ['a long line', answer('application/x-ndjson', line(1024 * 1024 + 1)), 'ASSISTANT_LINE_TOO_LONG', false, /1048576/],
    [
      'a long event',
      answer('text/event-stream', `data: ${line(1024 * 1024 + 1)}\n\n`),
      'ASSISTANT_LINE_TOO_LONG',
      false,
      /1048576/,
    ],
    ['a long document', answer('application/json', line(1024 * 1024 + 1)), 'ASSISTANT_LINE_TOO_LONG', false, /1048576/],
    [
      'a large state',
      ndjson({ approval: 'a', state: { a: 'a'.repeat(64 * 1024) } }),
      'ASSISTANT_STATE_TOO_LARGE',
      false,
      /65536/,
    ],
    ['an empty body', answer('application/json'), 'ASSISTANT_DISCONNECTED', true, /after 0 steps/],
  ])('%s; the log says what was expected', async (_, respond, code, retryable, logs) => {
    const { outcome, calls, logged } = await run(respond)
    expect(outcome).toMatchObject({ state: 'failed', error: { code, retryable } })
    expect(calls.length).toBe(1)
    expect(logged).toMatch(logs)
    for (const text of [logged, JSON.stringify(outcome)]) expect(text).not.toMatch(/very-secret|whsec/)
  })

  it.each<[string, Respond]>([
    ['after a step', ndjson({ delta: 'a' })],
    ['in a line', answer('application/x-ndjson', '{"delta":"a"}\n{"end":{"sta')],
    ['in an event', answer('text/event-stream', 'data: {"delta":"a"}\n\ndata: {"end":')],
    [
      'when its connection closes',
      async (response) => {
        response.writeHead(200, { 'content-type': 'application/x-ndjson' })
        response.write('{"delta":"a"}\n{"end":{"state":"succeeded"}}')
        setImmediate(() => response.destroy())
      },
    ],
  ])('an answer that stops %s, after its partial output', async (_, respond) => {
    const { steps, outcome } = await run(respond)
    expect(steps).toEqual([{ delta: 'a' }])
    expect(outcome).toMatchObject({ state: 'failed', error: { code: 'ASSISTANT_DISCONNECTED', retryable: true } })
  })

  it('but a line of 1 MiB is allowed', async () => {
    const { outcome } = await run(answer('application/x-ndjson', `${line(1024 * 1024)}\n`, JSON.stringify(SUCCEEDED)))
    expect(outcome).toEqual({ state: 'succeeded' })
  })

  it('an unreachable service, and one without TLS', async () => {
    const { url } = await startService(() => {})
    for (const [at, code, retryable] of [
      [url.replace('http:', 'https:'), 'ASSISTANT_TLS_FAILED', false],
      ['http://127.0.0.1:1/', 'ASSISTANT_UNREACHABLE', true],
    ] as const) {
      const { outcome } = await play(create(at).assistant)
      expect(outcome).toMatchObject({ state: 'failed', error: { code, retryable } })
    }
  })

  it('a service that does not begin its answer in time', async () => {
    const timers = createManualTimers()
    const { url, runs: calls } = await startService(() => timers.advance(5000))
    const { outcome } = await play(create(url, timers).assistant)
    expect(outcome).toMatchObject({ error: { code: 'ASSISTANT_TIMEOUT', retryable: true } })
    await calls[0]?.closed
    expect(timers.pending).toBe(0)
  })

  it('a connection that is not established in time', async () => {
    const timers = createManualTimers()
    const silent = createTcpServer((socket) => {
      closing.push(async () => void socket.destroy())
      // The TLS handshake is not answered.
      timers.advance(10_000)
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    closing.push(async () => void silent.close())
    const { port } = silent.address() as AddressInfo
    const { outcome } = await play(create(`https://127.0.0.1:${port}/`, timers).assistant)
    expect(outcome).toMatchObject({ error: { code: 'ASSISTANT_UNREACHABLE', retryable: true } })
  })
})

describe('an approval', () => {
  it.each(['approved', 'denied'] as const)('%s is posted with the state as it was sent', async (decision) => {
    const state = '{"10": 1, "9": 12345678901234567890}'
    const { steps, outcome, calls } = await run(
      (response, call) => {
        const { resume } = JSON.parse(call.body.toString())
        const respond =
          resume === undefined
            ? answer('application/x-ndjson', `{"delta":"a"}\n{"approval":"May I?","state":${state}}\n`)
            : ndjson({ delta: resume.decision }, SUCCEEDED)
        return respond(response, call)
      },
      {},
      decision,
    )
    expect(steps).toEqual([{ delta: 'a' }, { approval: 'May I?' }, { delta: decision }])
    expect(outcome).toEqual({ state: 'succeeded' })
    expect(calls.map(({ headers }) => headers['webhook-id'])).toEqual(['run_1', 'run_1'])
    expect(calls[1]?.body.toString()).toContain(`"resume":{"decision":"${decision}","state":${state}}`)
  })

  it('closes its answer before it waits', async () => {
    const { url, runs: calls } = await startService((response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write('{"approval":"May I?"}\n')
    })
    const steps = create(url).assistant(createRequest())
    expect((await steps.next()).value).toEqual({ approval: 'May I?' })
    await calls[0]?.closed
    expect(await steps.next(undefined)).toEqual({ done: true, value: undefined })
    expect(calls.length).toBe(1)
  })
})

describe('a stop', () => {
  const open: Respond = (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write('{"delta":"a"}\n{"delta":')
  }

  it('closes the connection in the middle of the stream, and is then confirmed', async () => {
    const stopping = new AbortController()
    const { url, runs: calls } = await startService(open)
    const { assistant, logged } = create(url)
    const steps = assistant(createRequest({ signal: stopping.signal }))
    expect((await steps.next()).value).toEqual({ delta: 'a' })
    const end = steps.next()
    stopping.abort()
    expect(await end).toEqual({ done: true, value: undefined })
    await calls[0]?.closed
    expect(logged).toEqual([])
  })

  it('closes the connection before the answer begins', async () => {
    const stopping = new AbortController()
    const { url, runs: calls } = await startService(() => stopping.abort())
    expect(await play(create(url).assistant, { signal: stopping.signal })).toEqual({ steps: [], outcome: undefined })
    await calls[0]?.closed
  })

  it('by a worker that takes no more steps closes the connection too', async () => {
    const { url, runs: calls } = await startService(open)
    const steps = create(url).assistant(createRequest())
    await steps.next()
    await steps.return(undefined)
    await calls[0]?.closed
  })
})

describe('memory', () => {
  it('does not keep comments: 16 MiB of them do not exceed the limit of a step', async () => {
    let sent = 0
    const { outcome } = await run(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (; sent < 64; sent += 1) {
        response.write(`: ${'a'.repeat(256 * 1024)}\n`)
        await new Promise(setImmediate)
      }
      response.end(`\ndata: ${JSON.stringify(SUCCEEDED)}\n\n`)
    })
    expect([sent, outcome]).toEqual([64, { state: 'succeeded' }])
  })

  it('applies backpressure to a fast service while its steps are not read', async () => {
    const step = `{"delta":"${'a'.repeat(64 * 1024)}"}\n`
    let written = 0
    const { promise: isFull, resolve } = Promise.withResolvers<void>()
    const { url } = await startService((response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      const write = () => {
        if (written >= 4096) return
        written += 1
        if (response.write(step)) setImmediate(write)
        else {
          response.once('drain', write)
          if (written > 20) resolve()
        }
      }
      write()
    })
    const steps = create(url).assistant(createRequest())
    await steps.next()
    await isFull
    // The system's buffers at both ends are full long before the service has sent its 256 MiB.
    for (let before = -1; before !== written; ) {
      before = written
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    }
    expect(written).toBeLessThan(1024)
    await steps.return(undefined)
  })
})
