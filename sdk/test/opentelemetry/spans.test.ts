import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openTelemetry } from '../../src/opentelemetry/index.ts'
import { connect as connectClient } from '../support/scripted-client.ts'
import { json, lost, problem, type Reply, raw } from '../support/scripted-fetch.ts'
import { KEY, ORIGIN } from '../support/settings.ts'

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})
afterEach(() => {
  exporter.reset()
  trace.disable()
})
afterAll(() => {
  context.disable()
  propagation.disable()
})

const connect = (replies: readonly Reply[], tracing = openTelemetry()) => connectClient(replies, { tracing })

const spans = () => exporter.getFinishedSpans()

it('a span is created for each call, with an event for each attempt, and is sent to the gateway as traceparent', async () => {
  const { client, timing, requests } = connect([lost, json(200, {})])
  // The provider may be registered after the client is created.
  trace.setGlobalTracerProvider(provider)
  await timing.drive(client.runs.get('run_1'))
  const [span, ...others] = spans()
  expect(others).toEqual([])
  expect(span).toMatchObject({
    name: 'getRun',
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.UNSET },
    attributes: {
      'http.request.method': 'GET',
      'url.full': `${ORIGIN}/api/v1/runs/run_1`,
      'server.address': 'gateway.example.com',
      'http.response.status_code': 200,
      'http.request.resend_count': 1,
      'conversation_gateway.request_id': 'req_1',
    },
    events: [
      {
        name: 'attempt',
        attributes: { 'conversation_gateway.attempt': 1, 'conversation_gateway.trouble': 'connection' },
      },
      { name: 'attempt', attributes: { 'conversation_gateway.attempt': 2, 'http.response.status_code': 200 } },
    ],
  })
  const { traceId, spanId } = span?.spanContext() ?? {}
  for (const { headers } of requests) expect(headers.get('traceparent')).toBe(`00-${traceId}-${spanId}-01`)
})

it("a span is a child of the caller's span, and the parent of the spans of its requests", async () => {
  trace.setGlobalTracerProvider(provider)
  const within: (string | undefined)[] = []
  const { client } = connect([
    (request) => {
      within.push(trace.getActiveSpan()?.spanContext().spanId)
      return json(200, {})(request)
    },
  ])
  const tracer = trace.getTracer('program')
  await tracer.startActiveSpan('program', async (span) => {
    await client.runs.get('run_1')
    span.end()
  })
  const [call, program] = spans()
  expect(call?.parentSpanContext?.spanId).toBe(program?.spanContext().spanId)
  expect(within).toEqual([call?.spanContext().spanId])
})

it('the span of a call that fails is an error with its code', async () => {
  trace.setGlobalTracerProvider(provider)
  const { client } = connect([problem('NOT_FOUND')])
  await client.runs.get('run_1').catch(() => {})
  expect(spans()).toMatchObject([
    {
      status: { code: SpanStatusCode.ERROR, message: '404 NOT_FOUND: It is NOT_FOUND.' },
      attributes: { 'error.type': 'NOT_FOUND', 'http.response.status_code': 404 },
      events: [{ attributes: { 'conversation_gateway.code': 'NOT_FOUND', 'conversation_gateway.trouble': 'refused' } }],
    },
  ])
})

it('a span also ends when the program aborts with a reason that is not an error', async () => {
  trace.setGlobalTracerProvider(provider)
  for (const reason of [null, 'enough']) {
    exporter.reset()
    const caller = new AbortController()
    const { client } = connect([
      () => {
        caller.abort(reason)
        return new Promise<never>(() => {})
      },
    ])
    await client.runs.get('run_1', { signal: caller.signal }).catch(() => {})
    expect(spans()).toMatchObject([{ status: { code: SpanStatusCode.ERROR } }])
  }
})

it('the span of a stream lasts as long as its loop, and contains no key', async () => {
  trace.setGlobalTracerProvider(provider)
  const event = { event_id: 'evt_1', type: 'run.completed', seq: 7, payload: {} }
  const frame = `id: 7\nevent: run.completed\ndata: ${JSON.stringify(event)}\n\n`
  const { client } = connect([raw(200, frame, { 'content-type': 'text/event-stream' })])
  for await (const _event of client.runs.events('run_1')) expect(spans()).toEqual([])
  expect(spans()).toMatchObject([{ name: 'streamRunEvents', status: { code: SpanStatusCode.UNSET } }])
  expect(JSON.stringify(spans().map(({ attributes, events }) => ({ attributes, events })))).not.toContain(KEY)
})

it('with `propagate: false`, a span is created, but no header is sent', async () => {
  trace.setGlobalTracerProvider(provider)
  const { client, requests } = connect([json(200, {})], openTelemetry({ propagate: false }))
  await client.runs.get('run_1')
  expect(requests[0]?.headers.get('traceparent')).toBeNull()
  expect(spans()).toHaveLength(1)
})

it('a span comes from the given tracer', async () => {
  const { client } = connect([json(200, {})], openTelemetry({ tracer: provider.getTracer('of the program') }))
  await client.runs.get('run_1')
  expect(spans()).toMatchObject([{ instrumentationScope: { name: 'of the program' } }])
})

it('without a provider, no span is created and no header is sent', async () => {
  const { client, requests } = connect([json(200, {})])
  await client.runs.get('run_1')
  expect(spans()).toEqual([])
  expect(requests[0]?.headers.get('traceparent')).toBeNull()
})
