import assert from 'node:assert/strict'
import type { WorkerCall, WorkerReply } from '../../kit/worker/simulated-worker-gateway.ts'
import type { WorkerCheck } from '../../kit/worker/worker-context.ts'

const TEXT = 'Grüße, 漢字 🚀 and more'
const WORDS = TEXT.split(/(?<= )/)
/** The words with pauses between them, so that they are sent in several requests. */
const SLOW_STEPS = WORDS.flatMap((delta) => [{ delta }, { sleep_ms: 30 }])

/** Two steps that may be sent in one request. */
const TOGETHER = [{ delta: '?' }, { message: 'aside' }]

/** Requests with the same index in a run must be identical. */
const expectEqualRepeats = (calls: readonly WorkerCall[]): void => {
  const first = new Map<string, string>()
  for (const { route, body } of calls) {
    const at = `${route} ${String(body.index)}`
    const sent = JSON.stringify(body)
    assert.equal(
      sent,
      first.get(at) ?? sent,
      `the repeated request at index ${String(body.index)} differs from the first one`,
    )
    first.set(at, sent)
  }
}

/** Answers that the worker must not treat as an acknowledgement. The key is part of the check's ID. */
const INVALID_ACKNOWLEDGEMENTS: Readonly<Record<string, readonly [what: string, answer: () => WorkerReply]>> = {
  'is-cut': ['is cut off', () => 'cut'],
  'is-503': [
    'is 503',
    () => ({
      status: 503,
      json: { status: 503, code: 'UNAVAILABLE', title: 'Unavailable', detail: 'The database is unavailable.' },
    }),
  ],
  'is-a-page-of-a-proxy': [
    'is an HTML page of a proxy',
    () => ({ status: 200, headers: { 'content-type': 'text/html' }, text: '<h1>Please sign in</h1>' }),
  ],
  'is-json-of-another-kind': ['is JSON of another shape', () => ({ status: 200, json: { hello: 'world' } })],
}

const lostAnswers = (route: 'steps' | 'end'): readonly WorkerCheck[] =>
  Object.entries(INVALID_ACKNOWLEDGEMENTS).map(([id, [what, answer]]) => ({
    id: `${route}/answer-${id}`,
    title: `an answer to ${route} that ${what} is not an acknowledgement: the same request is repeated, and nothing is lost or duplicated`,
    rules: [route === 'steps' ? 'WORK-13' : 'WORK-14'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer(SLOW_STEPS)
      gateway.on(route, (_call, earlier) => (earlier < 2 ? answer() : null))
      await start()
      const end = await gateway.untilEnd(run)
      await gateway.until(`${route} is sent until it is answered`, () => gateway.to(route)[2])
      assert.deepEqual([run.text, end], [TEXT, { state: 'succeeded' }])
      const sent = gateway.callsAbout(run.runId)
      expectEqualRepeats(sent.filter((call) => call.route === route))
      if (route === 'steps') return
      const indexes = sent.filter((call) => call.route === 'steps').map(({ body }) => body.index)
      assert.deepEqual(
        indexes,
        [...new Set(indexes)],
        'the run was executed again because its end was not acknowledged',
      )
    },
  }))

export const checks: readonly WorkerCheck[] = [
  ...lostAnswers('steps'),
  ...lostAnswers('end'),
  {
    id: 'steps/in-order',
    title: 'steps, including messages, are sent once and in order, numbered by the count of earlier steps',
    rules: ['WORK-13'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer([
        ...SLOW_STEPS,
        ...TOGETHER,
        { sleep_ms: 100 },
        { delta: '!' },
        { sleep_ms: 100 },
        { delta: '!' },
      ])
      await start()
      await gateway.untilEnd(run)
      assert.equal(run.text, `${TEXT}?!!`)
      assert.deepEqual(
        run.steps.filter((step) => !('delta' in step)),
        [{ message: 'aside' }],
      )
      assert.ok('delta' in (run.steps.at(-1) ?? {}), 'the text after the message must be sent after it')
    },
  },
  {
    id: 'steps/failures',
    title: 'an assistant that fails or reports failure ends the run as failed, with its output so far',
    rules: ['WORK-22'],
    run: async ({ gateway, start }) => {
      const error = { code: 'NO_STOCK', message: 'Sold out.', retryable: false }
      const reported = gateway.offer([{ delta: 'a' }, { sleep_ms: 100 }, { fail: error }])
      const thrown = gateway.offer([{ delta: 'b' }, { sleep_ms: 100 }, { throw: true }])
      await start()
      assert.deepEqual([await gateway.untilEnd(reported), reported.text], [{ state: 'failed', error }, 'a'])
      const end: { state?: unknown; error?: { code?: unknown; message?: unknown } } = await gateway.untilEnd(thrown)
      assert.deepEqual([end.state, end.error?.code, thrown.text], ['failed', 'ASSISTANT_ERROR', 'b'])
      assert.ok(
        !String(end.error?.message).includes('The script says so'),
        'the error message of the run must not contain the text of the exception',
      )
    },
  },
  {
    id: 'steps/approvals',
    title: 'an approval is requested once, and its decision determines how the assistant continues',
    rules: ['WORK-18'],
    run: async ({ gateway, start }) => {
      const runs = (['approved', 'denied'] as const).map((decision) => ({
        decision,
        run: gateway.offer([{ approval: 'May I?' }, { delta: 'done' }]),
      }))
      gateway.on('steps', (_call, earlier) => (earlier === 0 ? 'cut' : null))
      await start()
      for (const { decision, run } of runs) {
        const approvalId = await gateway.until('an approval is requested', () => run.approvalId ?? undefined)
        await gateway.until('a heartbeat names the pending approval', () =>
          gateway
            .to('heartbeats')
            .find(({ body }) => JSON.stringify(body.runs).includes(`"approval_id":"${approvalId}"`)),
        )
        gateway.signal(run.runId, decision)
        const end = await gateway.untilEnd(run)
        assert.equal(end.state, decision === 'approved' ? 'succeeded' : 'failed')
        assert.equal(run.text, decision === 'approved' ? 'done' : '')
        assert.equal(run.steps.filter((step) => 'approval' in step).length, 1)
      }
    },
  },
]
