import type { RunRecord, RunTimeline } from '@conversation-gateway/openapi/generated/admin-closed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../src/runtime/log.ts'
import type { Client } from '../support/client.ts'
import { ended } from '../support/client.ts'
import type { ModelServer } from '../support/model-server.ts'
import { DONE, frame, startModelServer, stream } from '../support/model-server.ts'
import { publishService } from '../support/publish-service.ts'
import type { Receiver } from '../support/receiver.ts'
import { startReceiver } from '../support/receiver.ts'
import { onGateways } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'

const FLAGS = '01'
/** A new trace that a caller has started. */
const newTrace = (name: string) => {
  const traceId = Buffer.from(name.padEnd(16)).toString('hex')
  return { traceId, traceparent: `00-${traceId}-00f067aa0ba902b7-${FLAGS}` }
}

const lines: Record<string, unknown>[] = []
const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
const devOrigins = new Set<string>()

onGateways(
  'a trace',
  (running) => {
    let model: ModelServer
    let receiver: Receiver
    let endpointId: string
    beforeAll(async () => {
      model = await startModelServer(async (response) => {
        await stream(response, [frame('Hello', 'stop'), DONE])
        response.end()
      })
      receiver = await startReceiver()
      devOrigins.add(receiver.origin)
      const assistant = { type: 'openai', base_url: model.baseUrl, model: 'small-1' }
      endpointId = (await publishService(running, { accepts: ['*/*'], assistant })).endpoint_id
      const url = `${receiver.origin}/events`
      await running.operator.request('POST', '/admin/v1/callbacks', {
        body: { app_id: 'app_test', endpoint_id: endpointId, url, events: ['run.completed'], enabled: true },
      })
    })
    afterAll(async () => {
      await model.close()
      await receiver.close()
    })

    const send = (
      client: Client,
      conversationId: string,
      idempotencyKey: string,
      headers: Readonly<Record<string, string>>,
    ) =>
      client.request<{ run_id: string }>('POST', `/api/v1/conversations/${conversationId}/messages`, {
        body: { expected_generation: 1, input: { text: 'Hi' } },
        idempotencyKey,
        headers,
      })

    /** Sends a message and waits until the callback about its run has arrived. */
    const sendTraced = async (client: Client, headers: Readonly<Record<string, string>>) => {
      const { body } = await client.createConversation({ endpoint_id: endpointId })
      const sent = await send(client, body.conversation_id, crypto.randomUUID(), headers)
      expect(sent.status).toBe(202)
      const runId = sent.body.run_id
      await ended(client, runId)
      const ofRun = () => receiver.at('/events').filter(({ body }) => JSON.parse(body.toString()).run_id === runId)
      await untilHolds(() => expect(ofRun()).toHaveLength(1))
      const toReceiver = ofRun()[0]?.headers.traceparent
      return { runId, toAssistant: model.calls.at(-1)?.headers.traceparent, toReceiver }
    }

    test('continues from the request to the assistant, to the receiver of callbacks and to the log lines of the run', async () => {
      const { traceId, traceparent } = newTrace(`trace ${lines.length}`)
      const { runId, toAssistant, toReceiver } = await sendTraced(running.client(), { traceparent })
      const childSpan = expect.stringMatching(new RegExp(`^00-${traceId}-[0-9a-f]{16}-${FLAGS}$`))
      expect([toAssistant, toReceiver]).toEqual([childSpan, childSpan])
      expect(new Set([traceparent, toAssistant, toReceiver]).size).toBe(3)
      const named = () => lines.filter(({ trace_id }) => trace_id === traceId).map(({ msg, run_id }) => [msg, run_id])
      await untilHolds(() =>
        expect(named().toSorted()).toEqual([
          ['request', runId],
          ['run began', runId],
          ['run ended', runId],
        ]),
      )
    })

    test('is shown to operators, in the record of the run and its timeline', async () => {
      const { traceId, traceparent } = newTrace('operators')
      const traceOf = async ({ runId }: { runId: string }) => {
        const { body } = await running.operator.request<RunRecord>('GET', `/admin/v1/runs/${runId}`)
        const timeline = await running.operator.request<RunTimeline>('GET', `/admin/v1/runs/${runId}/timeline`)
        return [body.trace_id, timeline.body.run.trace_id]
      }
      expect(await traceOf(await sendTraced(running.client(), { traceparent }))).toEqual([traceId, traceId])
      expect(await traceOf(await sendTraced(running.client(), {}))).toEqual([null, null])
    })

    test('is absent if the caller sends none, or an invalid one', async () => {
      const { traceparent } = newTrace('invalid')
      for (const headers of [{}, { traceparent: traceparent.toUpperCase() }]) {
        const { runId, ...sent } = await sendTraced(running.client(), headers)
        expect(sent).toEqual({ toAssistant: undefined, toReceiver: undefined })
        const ofRun = lines.filter(({ run_id }) => run_id === runId)
        expect(ofRun.length).toBeGreaterThan(0)
        expect(ofRun.filter((line) => 'trace_id' in line)).toEqual([])
      }
    })

    test('belongs to the first of several equal requests', async () => {
      const client = running.client()
      const { body } = await client.createConversation({ endpoint_id: endpointId })
      const idempotencyKey = crypto.randomUUID()
      const before = model.calls.length
      const [first, second] = [newTrace('first'), newTrace('second')]
      const answers = []
      for (const { traceparent } of [first, second])
        answers.push(await send(client, body.conversation_id, idempotencyKey, { traceparent }))
      expect(answers.map(({ status }) => status)).toEqual([202, 202])
      await ended(client, answers[0]?.body.run_id ?? '')
      expect(model.calls.slice(before).map(({ headers }) => headers.traceparent?.slice(3, 35))).toEqual([first.traceId])
    })
  },
  { log, callbackTargets: { hosts: new Set(), devOrigins } },
)
