import { once } from 'node:events'
import { connect } from 'node:net'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import { afterEach, describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/http/metrics.ts'
import type { TestServer, TestServerOptions } from './support.ts'
import { ADMISSION, HEADERS, RUN, startServer } from './support.ts'

const GAUGES = {
  runsByState: { running: 1 },
  oldestQueuedSeconds: 1,
  openStreams: 1,
  openStreamsByApp: { app_shop: 1 },
  workers: 0,
  deliveriesByState: {},
  eventLagSeconds: 1,
  databaseSeconds: 1,
  admissionPaused: false,
}

const servers: TestServer[] = []
const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options)
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

describe('the probes', () => {
  it('report that the process lives, and whether it is ready, with store, durability and roles [OPS-04, OPS-05, OPS-06, OPS-14, OPS-23]', async () => {
    let ready = true
    const { fetch } = await start({
      readReadiness: async () => ({
        ready,
        store: 'postgresql',
        durability: 'Committed to disk.',
        database: ready,
        roles: { api: true, device: ready },
      }),
    })
    expect((await fetch('/healthz', { bare: true })).json).toEqual({ status: 'alive', version: '1.2.3' })
    expect(await fetch('/readyz', { bare: true })).toMatchObject({
      status: 200,
      json: {
        status: 'ready',
        version: '1.2.3',
        store: 'postgresql',
        durability: 'Committed to disk.',
        database: true,
      },
    })
    ready = false
    const away = await fetch('/readyz', { bare: true })
    expect(away).toMatchObject({ status: 503, json: { status: 'unavailable', roles: { api: true, device: false } } })
    expect(away.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it('return counters and gauges as Prometheus text [OPS-07]', async () => {
    let replayed = false
    const { fetch } = await start({
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

  it('tell an application, a service or an error code from the sum of the rest, whatever its name', async () => {
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
    const { fetch } = await start({ metrics })
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

  it('omit gauges that cannot be read, rather than showing old values', async () => {
    let fails = false
    const metrics = createMetrics({
      version: '1.2.3',
      readGauges: async () => {
        if (fails) throw new Error('no database')
        return GAUGES
      },
    })
    const { fetch } = await start({ metrics })
    expect((await fetch('/metrics', { bare: true })).text).toContain('gateway_runs{state="running"} 1')
    fails = true
    const { status, text } = await fetch('/metrics', { bare: true })
    expect(status).toBe(200)
    expect(text).toContain('gateway_up 0')
    expect(text).not.toMatch(
      /^gateway_(runs|queue_age_seconds|open_streams|app_open_streams|event_lag_seconds|database_seconds)[ {]/m,
    )
  })
})

describe('a process without one of the surfaces', () => {
  it('has probes and documentation, and none of its routes', async () => {
    const { fetch } = await start({ handlers: null })
    for (const path of ['/healthz', '/readyz', '/openapi.json']) expect((await fetch(path)).status).toBe(200)
    for (const path of ['/api/v1/runs/run_1', '/api/v1/conversations']) expect((await fetch(path)).status).toBe(404)
  })

  it('knows no admin route without an operator', async () => {
    const { fetch } = await start({ operator: null })
    for (const path of ['/admin/v1/apps', '/admin/openapi.json']) expect((await fetch(path)).status).toBe(404)
  })
})

describe('the log', () => {
  it('has a line for each request, without possible secrets [AUTH-09]', async () => {
    const { fetch, lines } = await start({ handlers: { getRun: async () => found(RUN) } })
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

  it('names the records that a request created, by the names of the contract', async () => {
    const { fetch, lines } = await start({
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

  it('has probes, scrapes and pages at debug, and all other requests at info', async () => {
    const levels: [string, unknown][] = []
    const { fetch } = await start({
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

  it('reports that a client left before the answer', async () => {
    let called = false
    const { promise, resolve } = Promise.withResolvers<void>()
    const { port, lines } = await start({
      handlers: {
        getRun: async () => {
          called = true
          await promise
          return found(RUN)
        },
      },
    })
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `GET /api/v1/runs/run_1 HTTP/1.1\r\nhost: x\r\nauthorization: ${HEADERS.authorization}\r\nx-service-subject: s\r\n\r\n`,
    )
    await expect.poll(() => called).toBe(true)
    socket.destroy()
    await expect.poll(() => lines.length).toBe(1)
    resolve()
    expect(lines[0]).toMatchObject({ operation: 'getRun', aborted: true })
  })

  it('reports no fault when a client disconnects in the middle of its body', async () => {
    const { port, lines } = await start()
    const socket = connect(port, '127.0.0.1')
    const headers = Object.entries(HEADERS)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    socket.write(`POST /api/v1/runs/run_1/cancel HTTP/1.1\r\nhost: x\r\n${headers}content-length: 100\r\n\r\n{`)
    await once(socket, 'connect')
    socket.end()
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(lines).toMatchObject([{ message: 'request', operation: 'cancelRun', aborted: true }])
  })
})

describe('closing', () => {
  it('answers the requests under way, and keeps no connection open', async () => {
    let called = false
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = await startServer({
      // Far longer than the time limit of this test: connections must be closed because they are idle.
      drainMs: 3_600_000,
      handlers: {
        getRun: async () => {
          called = true
          await promise
          return found(RUN)
        },
      },
    })
    const answer = server.raw(
      `GET /api/v1/runs/run_1 HTTP/1.1\r\nhost: x\r\nauthorization: ${HEADERS.authorization}\r\nx-service-subject: s\r\n\r\n`,
    )
    await expect.poll(() => called).toBe(true)
    const closed = server.close()
    await expect.poll(() => server.app.server.listening).toBe(false)
    resolve()
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
    await closed
  })

  it('is not delayed by a connection that was opened in advance and never used', async () => {
    const server = await startServer({ drainMs: 3_600_000 })
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    const gone = once(socket.resume(), 'close')
    await server.close()
    await gone
  })

  it('cuts off requests that do not finish in time', async () => {
    let called = false
    const server = await startServer({
      drainMs: 50,
      handlers: {
        getRun: () => {
          called = true
          return new Promise(() => {})
        },
      },
    })
    const answer = server.fetch('/api/v1/runs/run_1').then(
      () => 'answered',
      () => 'cut off',
    )
    await expect.poll(() => called).toBe(true)
    await server.close()
    expect(await answer).toBe('cut off')
  })
})
