import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import type { Respond } from '../../../kit/steps/http-assistant.ts'
import { answerWith, signatureOfRun, steps, URL_TOKEN, withHttpService } from '../../../kit/steps/http-assistant.ts'

const needs = ['admin', 'appIds', 'model'] as const
const SUCCEEDED = { end: { state: 'succeeded' } }
const TOLERANCE_SECONDS = 300

const LINES = [{ delta: 'On ' }, { delta: 'its way' }, SUCCEEDED].map((step) => JSON.stringify(step))
const FORMS: readonly (readonly [contentType: string, pieces: readonly string[]])[] = [
  ['application/x-ndjson', LINES.map((line) => `${line}\n`)],
  ['text/event-stream', LINES.map((line) => `data: ${line}\n\n`)],
  ['application/json', [JSON.stringify({ end: { state: 'succeeded', text: 'On its way' } })]],
]

const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) =>
    void response.writeHead(status, headers).end()

/** Invalid answers, each with the error that the run must fail with. */
const INVALID_ANSWERS: readonly (readonly [respond: Respond, code: string, retryable: boolean])[] = [
  [withStatus(500), 'ASSISTANT_UNAVAILABLE', true],
  [withStatus(404), 'ASSISTANT_REFUSED', false],
  [withStatus(307, { location: '/elsewhere' }), 'ASSISTANT_REFUSED', false],
  [answerWith('text/html', 'hello'), 'ASSISTANT_ANSWER_INVALID', false],
  [answerWith('application/x-ndjson', 'a'.repeat(1024 * 1024 + 1)), 'ASSISTANT_LINE_TOO_LONG', false],
  [steps({ think: 'a' }), 'ASSISTANT_ERROR', false],
]

export const checks: readonly ServerCheck[] = [
  {
    id: 'assistants/http-signed',
    title: 'a run of an http assistant is posted once, signed with the service’s secret',
    rules: ['ASST-16'],
    needs,
    tags: ['http'],
    alone: 'model',
    run: (t) =>
      withHttpService(t, async ({ execute, runs, secret, endpointId }) => {
        const { state, run_id: runId } = await execute(steps(SUCCEEDED))
        assert.equal(state, 'succeeded')
        assert.equal(runs.length, 1, `the run was posted ${runs.length} times, expected once`)
        const [run] = runs
        assert.ok(run !== undefined)
        assert.equal(run.headers['webhook-id'], runId)
        assert.equal(run.headers['webhook-signature'], signatureOfRun(run, secret))
        const ageSeconds = t.now() / 1000 - Number(run.headers['webhook-timestamp'])
        assert.ok(Math.abs(ageSeconds) <= TOLERANCE_SECONDS, `the timestamp is ${ageSeconds} s old`)
        const body: unknown = JSON.parse(run.body.toString())
        const { run_id, endpoint_id, input, context } = Object(body)
        assert.deepEqual([run_id, endpoint_id], [runId, endpointId])
        assert.deepEqual(input, { text: 'Where?', data: null, resource_ids: [] })
        assert.deepEqual(context, [])
      }),
  },
  {
    id: 'assistants/http-forms',
    title: 'an http assistant may answer with NDJSON, server-sent events or a single JSON object',
    rules: ['ASST-17'],
    needs,
    tags: ['http'],
    alone: 'model',
    run: (t) =>
      withHttpService(t, async ({ execute }) => {
        for (const [contentType, pieces] of FORMS) {
          const { state, result } = await execute(answerWith(contentType, ...pieces))
          assert.deepEqual([state, result?.text], ['succeeded', 'On its way'], contentType)
        }
      }),
  },
  {
    id: 'assistants/http-half-answers',
    title: 'a truncated answer fails the run, and the output received so far is kept as partial output',
    rules: ['ASST-18'],
    needs,
    tags: ['http'],
    alone: 'model',
    run: (t) =>
      withHttpService(t, async ({ execute, runs }) => {
        const cut: Respond = async (response) => {
          response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-length': 1000 })
          await new Promise<void>((resolve) => response.write('{"delta":"half"}\n', () => resolve()))
          response.destroy()
        }
        for (const [how, respond] of [
          ['properly', steps({ delta: 'half' })],
          ['because the connection breaks', cut],
        ] as const) {
          const { state, result } = await execute(respond)
          assert.deepEqual(
            [state, result?.text, result?.error?.code, result?.error?.retryable],
            ['failed', 'half', 'ASSISTANT_DISCONNECTED', true],
            `an answer that ends ${how}`,
          )
        }
        assert.equal(runs.length, 2, `the 2 runs were posted ${runs.length} times, expected once each`)
      }),
  },
  {
    id: 'assistants/http-no-answers',
    title: 'an invalid answer fails the run with a specific code, and the error contains neither query nor secret',
    rules: ['ASST-16', 'ASST-19'],
    needs,
    tags: ['http', 'security'],
    alone: 'model',
    run: (t) =>
      withHttpService(t, async ({ execute, runs, secret }) => {
        for (const [respond, code, retryable] of INVALID_ANSWERS) {
          const { state, result, run_id: runId } = await execute(respond)
          assert.deepEqual([state, result?.error?.code, result?.error?.retryable], ['failed', code, retryable])
          const { text } = await t.me.run(runId)
          assert.ok(
            !text.includes(URL_TOKEN) && !text.includes(secret),
            `the run shows the query or the secret: ${code}`,
          )
        }
        assert.equal(
          runs.length,
          INVALID_ANSWERS.length,
          `${INVALID_ANSWERS.length} runs were posted ${runs.length} times`,
        )
      }),
  },
  {
    id: 'assistants/http-approval',
    title: 'an approval ends the answer of an http assistant; a second request brings the decision and the state',
    rules: ['ASST-20'],
    needs,
    tags: ['http'],
    alone: 'model',
    run: (t) =>
      withHttpService(t, async ({ admit, runs }) => {
        const state = '{"10":1,"9":2.50}'
        const runId = await admit((response, run) => {
          const isResumed = Object(JSON.parse(run.body.toString())).resume !== undefined
          const respond = isResumed
            ? steps({ delta: 'refunded' }, SUCCEEDED)
            : answerWith('application/x-ndjson', `{"approval":"Refund?","state":${state}}\n`)
          return respond(response, run)
        })
        await t.runIn(runId, ['waiting_approval'])
        const { approvals } = await t.admin.call<{ approvals: { approval_id: string; run_id: string }[] }>(
          'GET',
          '/approvals?state=pending',
        )
        const approval = approvals.find(({ run_id }) => run_id === runId)
        assert.ok(approval !== undefined, `no pending approval names the run ${runId}`)
        await t.admin.call('POST', `/approvals/${approval.approval_id}/decision`, { decision: 'approve' })
        const ended = await t.runEnded(runId)
        assert.deepEqual([ended.state, ended.result?.text], ['succeeded', 'refunded'])
        assert.equal(runs.length, 2, `the run was posted ${runs.length} times, expected twice`)
        const resumed = runs[1]?.body.toString() ?? ''
        assert.equal(Object(JSON.parse(resumed)).resume?.decision, 'approved')
        assert.ok(
          resumed.includes(state),
          `the resumed request must contain the state ${state} unchanged, got ${resumed.slice(0, 300)}`,
        )
      }),
  },
  {
    id: 'assistants/http-secret',
    title: 'the secret of a service is shown only when it is published or rotated, the query of its URL never',
    rules: ['ASST-21'],
    needs,
    tags: ['http', 'security'],
    alone: 'model',
    run: (t) =>
      withHttpService(t, async ({ endpointId, secret, published, read }) => {
        assert.equal(typeof secret, 'string', 'the answer to the publication contains no secret')
        for (const text of [published, read]) assert.ok(!text.includes(URL_TOKEN), `the query is shown: ${text}`)
        assert.ok(!read.includes(secret), `the secret is shown again: ${read}`)
        const rotated = await t.admin.call<{ secret: string }>(
          'POST',
          `/apps/${t.config.apps.first.appId}/endpoints/${endpointId}/rotate-secret`,
        )
        assert.notEqual(rotated.secret, secret)
      }),
  },
]
