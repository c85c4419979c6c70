import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import { expect, test } from 'vitest'
import { KEYS, writeBootstrap } from '../support/bootstrap-file.ts'
import { createClient, ended } from '../support/client.ts'
import { startGateway } from '../support/gateway-process.ts'
import { DONE, frame, startModelServer, stream } from '../support/model-server.ts'
import type { Receiver } from '../support/receiver.ts'
import { startReceiver, status } from '../support/receiver.ts'
import { untilHolds } from '../support/until-holds.ts'

const ADMIN_TOKEN = 'admin-token-of-a-process'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: Pick<SentSpan, 'attributes'>
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

const exportsAt = (collector: Receiver): Export[] =>
  collector.at('/v1/traces').map(({ body }) => JSON.parse(body.toString()))

const spansAt = (collector: Receiver): SentSpan[] =>
  exportsAt(collector).flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )

test('one trace leads from the request through the run and its assistant to the callback', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-traces-'))
  const [collector, receiver] = [await startReceiver(), await startReceiver()]
  collector.answer('/v1/traces', status(200, { 'content-type': 'application/json' }, '{}'))
  const model = await startModelServer(async (response) => {
    await stream(response, [frame('Hello', 'stop'), DONE])
    response.end()
  })
  const gateway = await startGateway({
    GATEWAY_DATA_DIR: folder,
    GATEWAY_BOOTSTRAP: await writeBootstrap(),
    GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN,
    GATEWAY_CALLBACK_DEV_TARGETS: receiver.origin,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_SERVICE_NAME: 'the-gateway-of-a-test',
  })
  const operator = createClient({ baseUrl: gateway.baseUrl, key: ADMIN_TOKEN })
  const assistant = { type: 'openai', base_url: model.baseUrl, model: 'small-1' }
  const { body: endpoint } = await operator.request<Endpoint>('POST', '/admin/v1/apps/app_test/endpoints', {
    body: { device_id: 'dev_test', accepts: ['*/*'], assistant },
  })
  await operator.request('POST', '/admin/v1/callbacks', {
    body: {
      app_id: 'app_test',
      endpoint_id: endpoint.endpoint_id,
      url: `${receiver.origin}/events`,
      events: ['run.completed'],
      enabled: true,
    },
  })
  const client = createClient({ baseUrl: gateway.baseUrl, key: KEYS.all })
  const { body } = await client.createConversation({ endpoint_id: endpoint.endpoint_id })
  const path = `/api/v1/conversations/${body.conversation_id}/messages`
  const sent = await client.request<{ run_id: string }>('POST', path, {
    body: { expected_generation: 1, input: { text: 'a confidential text' } },
    idempotencyKey: 'one',
    headers: { traceparent: `00-${TRACE}-${CALLER}-01` },
  })
  await ended(client, sent.body.run_id)
  await untilHolds(() => expect(receiver.at('/events')).toHaveLength(1))
  expect(await gateway.stop()).toBe(0)

  const spans = spansAt(collector).filter(({ traceId }) => traceId === TRACE)
  const names = ['POST /api/v1/conversations/{conversation_id}/messages', 'run', 'assistant', 'callback attempt']
  const [request, run, call, attempt] = names.map((name) => spans.find((span) => span.name === name))
  expect(spans).toHaveLength(4)
  expect(request?.parentSpanId).toBe(CALLER)
  expect(run?.parentSpanId).toBe(request?.spanId)
  expect(call?.parentSpanId).toBe(run?.spanId)
  expect(attempt?.parentSpanId).toBe(request?.spanId)
  expect(model.calls.map(({ headers }) => headers.traceparent)).toEqual([`00-${TRACE}-${call?.spanId}-01`])
  expect(receiver.at('/events')[0]?.headers.traceparent).toBe(`00-${TRACE}-${attempt?.spanId}-01`)
  for (const span of [request, run, call])
    expect(span?.attributes).toContainEqual({
      key: 'conversation_gateway.run_id',
      value: { stringValue: sent.body.run_id },
    })
  const [first] = exportsAt(collector)
  expect(first?.resourceSpans[0]?.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'the-gateway-of-a-test' },
  })
  const all = collector.at('/v1/traces').map(({ body }) => body.toString())
  for (const secret of ['confidential', KEYS.all, ADMIN_TOKEN]) expect(all.join()).not.toContain(secret)
  await Promise.all([collector.close(), receiver.close(), model.close()])
  await rm(folder, { recursive: true })
})
