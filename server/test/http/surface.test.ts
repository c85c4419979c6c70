import { once } from 'node:events'
import { connect } from 'node:net'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/http/metrics.ts'
import { ADMISSION, GAUGES, RUN, requestHead, serverOfTest, startServer } from './support.ts'

describe('the metrics', () => {
  it('show counters and gauges as Prometheus text [OPS-07]', async () => {
    let replayed = false
    const { fetch } = await serverOfTest({
      handlers: { sendMessage: async () => ({ kind: 'admitted', status: 202, body: ADMISSION, replayed }) },
    })
    const send = (body: string) => fetch('/api/v1/conversations/conv_1/messages', { method: 'POST', body })
    await send('{"expected_generation":1,"input":{"text":"x"}}')
    replayed = true
    await send('{"expected_generation":1,"input":{"text":"x"}}')
    await send('{}')
    const { text, headers } = await fetch('/metrics', { bare: true })
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const line of [
      'gateway_admissions_total{operation="sendMessage",replayed="false"} 1',
      'gateway_admissions_total{operation="sendMessage",replayed="true"} 1',
      'gateway_refusals_total{code="INVALID_REQUEST"} 1',
      'gateway_http_request_seconds_count{operation="sendMessage",status="202"} 2',
      'gateway_runs{state="queued"} 2',
      'gateway_queue_age_seconds 1.5',
      'gateway_open_streams 3',
      'gateway_app_open_streams{app="app_shop"} 2',
      'gateway_app_open_streams{app="(other)"} 1',
      'gateway_workers 2',
      'gateway_event_lag_seconds 0.25',
      'gateway_database_seconds 0.001',
      'gateway_up 1',
    ])
      expect(text.split('\n')).toContain(line)
  })

  it('distinguish a label “other” from the sum of the omitted labels', async () => {
    const metrics = createMetrics({
      version: '1.2.3',
      readGauges: async () => ({ ...GAUGES, openStreams: 7, openStreamsByApp: { other: 4, app_shop: 2 } }),
    })
    for (let i = 0; i < 501; i++)
      metrics.countRunEnd({
        appId: 'app_shop',
        conversationId: 'conv_1',
        runId: `run_${i}`,
        traceparent: null,
        endpointId: i === 0 ? 'other' : `ep_${i}`,
        state: 'succeeded',
        errorCode: null,
        seconds: null,
        usage: null,
      })
    const { fetch } = await serverOfTest({ metrics })
    const { text } = await fetch('/metrics', { bare: true })
    for (const line of [
      'gateway_app_open_streams{app="other"} 4',
      'gateway_app_open_streams{app="app_shop"} 2',
      'gateway_app_open_streams{app="(other)"} 1',
      'gateway_runs_ended_total{endpoint="other",state="succeeded",code=""} 1',
      'gateway_runs_ended_total{endpoint="(other)",state="succeeded",code=""} 1',
    ])
      expect(text.split('\n')).toContain(line)
  })

  it('omit gauges that cannot be read', async () => {
    let fails = false
    const metrics = createMetrics({
      version: '1.2.3',
      readGauges: async () => {
        if (fails) throw new Error('no database')
        return GAUGES
      },
    })
    const { fetch } = await serverOfTest({ metrics })
    expect((await fetch('/metrics', { bare: true })).text).toContain('gateway_runs{state="queued"} 2')
    fails = true
    const { status, text } = await fetch('/metrics', { bare: true })
    expect(status).toBe(200)
    expect(text).toContain('gateway_up 0')
    expect(text).not.toMatch(
      /^gateway_(runs|queue_age_seconds|open_streams|app_open_streams|event_lag_seconds|database_seconds)[ {]/m,
    )
  })
})

describe('a process', () => {
  it('without the public API has probes and documentation, but none of its routes', async () => {
    const { fetch } = await serverOfTest({ handlers: null })
    for (const path of ['/healthz', '/readyz', '/openapi.json']) expect((await fetch(path)).status).toBe(200)
    for (const path of ['/api/v1/runs/run_1', '/api/v1/conversations']) expect((await fetch(path)).status).toBe(404)
  })

  it('without the operator API has no admin route', async () => {
    const { fetch } = await serverOfTest({ operator: null })
    for (const path of ['/admin/v1/apps', '/admin/openapi.json']) expect((await fetch(path)).status).toBe(404)
  })
})

/** A `getRun` that waits for `release`. */
const createBlockedRead = () => {
  const [called, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const getRun = async () => {
    called.resolve()
    await released.promise
    return found(RUN)
  }
  return { handlers: { getRun }, called: called.promise, release: released.resolve }
}

describe('the log', () => {
  it('has a line for each request, without secrets [AUTH-09]', async () => {
    const { fetch, lines } = await serverOfTest({ handlers: { getRun: async () => found(RUN) } })
    const { headers } = await fetch('/api/v1/runs/run_1?token=hidden')
    await fetch('/api/v1/runs/run_1/hidden?x=hidden', { headers: { authorization: 'Bearer hidden' } })
    await expect.poll(() => lines.length).toBe(2)
    expect(lines[0]).toEqual({
      message: 'request',
      request_id: headers.get('x-request-id'),
      method: 'GET',
      route: '/api/v1/runs/{run_id}',
      operation: 'getRun',
      status: 200,
      duration_ms: expect.any(Number),
      app_id: 'app_1',
      key_id: 'key_1',
      run_id: 'run_1',
    })
    expect(lines[1]).toMatchObject({ route: null, operation: null, status: 404, code: 'NOT_FOUND' })
    expect(JSON.stringify(lines)).not.toMatch(/hidden|a-key|subject-1/)
  })

  it('names the records that a request created', async () => {
    const { fetch, lines } = await serverOfTest({
      handlers: { sendMessage: async () => ({ kind: 'admitted', status: 202, body: ADMISSION, replayed: false }) },
    })
    await fetch('/api/v1/conversations/conv_1/messages', {
      method: 'POST',
      body: '{"expected_generation":1,"input":{"text":"hidden"}}',
    })
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]).toMatchObject({
      route: '/api/v1/conversations/{conversation_id}/messages',
      operation: 'sendMessage',
      status: 202,
      conversation_id: 'conv_1',
      run_id: 'run_1',
    })
    expect(JSON.stringify(lines)).not.toContain('hidden')
  })

  it('shows probes, metrics and pages at level debug, and all other requests at info', async () => {
    const levels: [string, unknown][] = []
    const { fetch } = await serverOfTest({
      log: {
        debug: (fields) => levels.push(['debug', Object(fields).route]),
        info: (fields) => levels.push(['info', Object(fields).route]),
        error: () => {},
      },
    })
    for (const path of ['/healthz', '/metrics', '/openapi.json', '/api/v1/runs/run_1', '/nowhere']) await fetch(path)
    await expect
      .poll(() => levels)
      .toEqual([
        ['debug', '/healthz'],
        ['debug', '/metrics'],
        ['debug', '/openapi.json'],
        ['info', '/api/v1/runs/{run_id}'],
        ['info', null],
      ])
  })

  it('marks a request as aborted if its client disconnects before the answer', async () => {
    const { handlers, called, release } = createBlockedRead()
    const { port, lines } = await serverOfTest({ handlers })
    const socket = connect(port, '127.0.0.1')
    socket.write(requestHead('GET /api/v1/runs/run_1'))
    await called
    socket.destroy()
    await expect.poll(() => lines.length).toBe(1)
    release()
    expect(lines[0]).toMatchObject({ operation: 'getRun', aborted: true })
  })

  it('marks a request as aborted, and has no error, if its client disconnects within the body', async () => {
    const { port, lines } = await serverOfTest()
    const socket = connect(port, '127.0.0.1')
    socket.write(`${requestHead('POST /api/v1/runs/run_1/cancel', { 'content-length': '100' })}{`)
    await once(socket, 'connect')
    socket.end()
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(lines).toMatchObject([{ message: 'request', operation: 'cancelRun', aborted: true }])
  })
})

describe('closing the server', () => {
  it('completes running requests, and closes idle connections', async () => {
    const { handlers, called, release } = createBlockedRead()
    // The drain is longer than the timeout of this test, so the test passes only if idle connections are closed.
    const server = await startServer({ drainMs: 3_600_000, handlers })
    const answer = server.raw(requestHead('GET /api/v1/runs/run_1'))
    await called
    const closed = server.close()
    await expect.poll(() => server.app.server.listening).toBe(false)
    release()
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
    await closed
  })

  it('is not delayed by an unused connection', async () => {
    const server = await startServer({ drainMs: 3_600_000 })
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    const gone = once(socket.resume(), 'close')
    await server.close()
    await gone
  })

  it('aborts requests that exceed the drain time', async () => {
    const { handlers, called } = createBlockedRead()
    const server = await startServer({ drainMs: 50, handlers })
    const failed = expect(server.fetch('/api/v1/runs/run_1')).rejects.toThrow()
    await called
    await server.close()
    await failed
  })
})
