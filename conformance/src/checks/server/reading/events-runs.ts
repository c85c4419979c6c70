import assert from 'node:assert/strict'
import type { EventEnvelope } from '#openapi/generated/gateway'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import {
  endsRun,
  isEnd,
  ofType,
  payloadOf,
  readEvents,
  readUntilEnd,
  runScript,
  watermarkOf,
} from '../../../kit/steps/events.ts'
import { contentOf, expectRunEnd } from '../../../kit/steps/runs.ts'

/**
 * Fails unless the run events are exactly the expected ones. An event for the admission is optional (D-64), and
 * payloads may have further members.
 */
function expectRunEvents(
  events: readonly EventEnvelope[],
  expected: readonly { type: string; payload: object }[],
): void {
  const isAdmission = ({ type, payload }: EventEnvelope): boolean =>
    type === 'run.updated' && Object(payload).state === 'queued'
  const reported = events.filter((event) => event.type.startsWith('run.') && !isAdmission(event))
  assert.deepEqual(
    reported.map(({ type, payload }) => `${type} ${Object(payload).state}`),
    expected.map(({ type, payload }) => `${type} ${Object(payload).state}`),
  )
  for (const [at, { payload }] of reported.entries()) assert.partialDeepStrictEqual(payload, expected[at]?.payload)
}

const updated = (state: string, delivery_state = 'device_received') => ({
  type: 'run.updated',
  payload: { state, delivery_state },
})
const STARTED = { type: 'run.started', payload: { state: 'running' } }

export const checks: readonly ServerCheck[] = [
  {
    id: 'events/run-started',
    title: 'run.started is emitted once when a run starts, with its state, and not while it is queued',
    rules: ['EVT-06'],
    streams: 1,
    run: async (t) => {
      const conversation = await t.conversation()
      const first = await t.admit(conversation, t.script({ delta: 'a' }, { hang: true }))
      const second = await t.admit(conversation, t.script({ succeed: {} }))
      const stream = await t.me.events(conversation.conversation_id, { after: first.event_cursor })
      await stream.event('delta of the first run', ({ type }) => type === 'assistant.delta')
      const starts = (runId: string) => ofType(stream.events, 'run.started').filter(({ run_id }) => run_id === runId)
      const [started] = starts(first.run_id)
      assert.equal(typeof payloadOf(started ?? assert.fail('output came before run.started')).state, 'string')
      expectStatus(await t.me.cancel(first.run_id), 202)
      await stream.event('the end of the second run', endsRun(second.run_id))
      assert.deepEqual(
        [first, second].map(({ run_id }) => starts(run_id).length),
        [1, 1],
        'each of the two runs must have one run.started',
      )
      const place = (runId: string, type: string) =>
        stream.events.findIndex((event) => event.run_id === runId && event.type === type)
      assert.ok(place(second.run_id, 'run.started') < place(second.run_id, 'run.completed'))
      assert.ok(
        stream.events.findLastIndex(({ run_id }) => run_id === first.run_id) < place(second.run_id, 'run.started'),
        'run.started of the second run precedes the last event of the first one',
      )
    },
  },
  {
    id: 'events/run-completed',
    title: 'run.completed has the result of the run',
    rules: ['EVT-09'],
    streams: 1,
    run: async (t) => {
      const { admission, events } = await runScript(t, { delta: 'streamed' }, { succeed: { text: 'the result' } })
      const completed = ofType(events, 'run.completed')
      assert.equal(completed.length, 1, `the run has ${completed.length} events run.completed, expected 1`)
      const { result } = await expectRunEnd(t, admission.run_id, 'succeeded')
      assert.deepEqual(contentOf(payloadOf(completed[0] ?? assert.fail()).result), contentOf(result))
      assert.equal(result?.text, 'the result')
      assert.equal(ofType(events, 'run.failed').length, 0, 'the succeeded run has the event run.failed')
    },
  },
  {
    id: 'events/run-failed',
    title: 'run.failed has the error of the run',
    rules: ['EVT-10'],
    streams: 1,
    run: async (t) => {
      const { admission, events } = await runScript(
        t,
        { delta: 'half' },
        { fail: { code: 'NO_STOCK', message: 'None left.' } },
      )
      const failed = ofType(events, 'run.failed')
      assert.equal(failed.length, 1, `the run has ${failed.length} events run.failed, expected 1`)
      const { result } = await expectRunEnd(t, admission.run_id, 'failed')
      const { error } = payloadOf(failed[0] ?? assert.fail())
      assert.ok(error !== undefined && error !== null, 'run.failed has no payload.error')
      // The specification does not define the shape of either error.
      if (t.profile === 'reference') assert.deepEqual(error, result?.error)
      assert.equal(ofType(events, 'run.completed').length, 0, 'the failed run has the event run.completed')
    },
  },
  {
    id: 'events/payloads-of-a-success',
    title: 'a successful run emits run.started and run.completed with its result, once each, and no other run event',
    rules: ['EVT-18', 'EVT-19', 'EVT-20'],
    streams: 1,
    run: async (t) => {
      const { admission, events } = await runScript(t, { delta: 'a' }, { succeed: { text: 'done', resource_ids: [] } })
      const { result } = await t.runEnded(admission.run_id)
      expectRunEvents(events, [STARTED, { type: 'run.completed', payload: { state: 'succeeded', result } }])
    },
  },
  ...[true, false].map(
    (retryable): ServerCheck => ({
      id: `events/payload-of-a-failure-${retryable ? 'retryable' : 'final'}`,
      title: `run.failed has the state, the error (retryable: ${retryable}) and the result with the partial output`,
      rules: ['EVT-21'],
      streams: 1,
      run: async (t) => {
        const error = { code: 'OUT_OF_STOCK', message: 'There is none left.', retryable }
        const { admission, events } = await runScript(t, { delta: 'Half of ' }, { delta: 'it' }, { fail: error })
        const { result } = await t.runEnded(admission.run_id)
        assert.partialDeepStrictEqual(result, { text: 'Half of it', error })
        expectRunEvents(ofType(events, 'run.failed'), [
          { type: 'run.failed', payload: { state: 'failed', error, result } },
        ])
      },
    }),
  ),
  {
    id: 'events/payload-of-a-failure-without-output',
    title: 'run.failed of a run without output still has its result with the error',
    rules: ['EVT-21'],
    streams: 1,
    run: async (t) => {
      const { admission, events } = await runScript(t, { fail: { code: 'NO', message: 'No.' } })
      const { result } = await t.runEnded(admission.run_id)
      expectRunEvents(ofType(events, 'run.failed'), [
        { type: 'run.failed', payload: { state: 'failed', error: result?.error, result } },
      ])
    },
  },
  {
    id: 'events/updates-of-an-approval',
    title: 'run.updated reports that a run waits for an approval, and that it resumes',
    rules: ['EVT-19', 'EVT-18'],
    needs: ['driver.decideApproval'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start({ approval: 'Refund 40 EUR' }, { succeed: { text: 'refunded' } })
      const stream = await t.me.runEvents(admission.run_id)
      const required = await stream.event('approval.required', ({ type }) => type === 'approval.required')
      await t.driver.decideApproval(String(payloadOf(required).approval_id), 'approved')
      await stream.event('the end of the run', endsRun(admission.run_id))
      expectRunEvents(
        stream.events.filter((event) => !isEnd(event)),
        [STARTED, updated('waiting_approval'), updated('running')],
      )
    },
  },
  {
    id: 'events/updates-of-a-stop',
    title: 'run.updated reports that a run is being cancelled, and run.cancelled its final state and result',
    rules: ['EVT-19', 'EVT-22'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start({ delta: 'So far' }, { stop_delay_ms: 50 }, { hang: true })
      const stream = await t.me.runEvents(admission.run_id)
      await stream.event('delta', ({ type }) => type === 'assistant.delta')
      expectStatus(await t.me.cancel(admission.run_id), 202)
      await stream.event('the end of the run', endsRun(admission.run_id))
      const { result } = await t.runEnded(admission.run_id)
      expectRunEvents(stream.events, [
        STARTED,
        updated('cancelling'),
        { type: 'run.cancelled', payload: { state: 'cancelled', result } },
      ])
    },
  },
  {
    id: 'events/cancelled-before-it-started',
    title: 'run.cancelled of a run that never started has its state and result, and there is no run.started',
    rules: ['EVT-22', 'EVT-19'],
    streams: 1,
    run: async (t) => {
      const { conversation } = await t.start({ hang: true })
      const start = await watermarkOf(t, conversation.conversation_id)
      const queued = await t.admit(conversation, t.script({ succeed: {} }))
      expectStatus(await t.me.cancel(queued.run_id), 202)
      const events = await readUntilEnd(t, queued, start)
      const own = events.filter(({ run_id }) => run_id === queued.run_id)
      const { result } = await t.runEnded(queued.run_id)
      expectRunEvents(own, [{ type: 'run.cancelled', payload: { state: 'cancelled', result } }])
    },
  },
  {
    id: 'events/expired',
    title: 'run.expired reports the state and result of a run that missed its start deadline',
    rules: ['EVT-22', 'EVT-19', 'EVT-29'],
    streams: 1,
    run: async (t) => {
      const { conversation } = await t.start({ hang: true })
      const late = await t.me.send(conversation.conversation_id, t.script({ succeed: {} }), {
        startBefore: new Date(t.now() + 1500).toISOString(),
      })
      const { run_id: runId, message_id: messageId } = expectStatus(late, 202).body
      const events = await readEvents(t, conversation.conversation_id, 'the end of the expired run', (seen) =>
        seen.some(endsRun(runId)),
      )
      const own = events.filter(({ run_id }) => run_id === runId)
      const { result } = await t.runEnded(runId)
      expectRunEvents(own, [{ type: 'run.expired', payload: { state: 'expired', result } }])
      assert.equal(
        events.find(endsRun(runId))?.message_id,
        messageId,
        `run.expired must have the message_id ${messageId} of the message of its run`,
      )
    },
  },
  {
    id: 'events/message-id-is-the-input',
    title: 'run.* and approval.required have the message_id of their own run’s input, even with several runs',
    rules: ['EVT-29'],
    needs: ['driver.decideApproval'],
    streams: 1,
    run: async (t) => {
      const conversation = await t.conversation()
      const admissions = [
        await t.admit(conversation, t.script({ approval: 'May I?' }, { delta: 'a' }, { succeed: {} })),
        await t.admit(conversation, t.script({ fail: { code: 'NO', message: 'No.' } })),
        await t.admit(conversation, t.script({ succeed: {} })),
      ]
      const cancelled = await t.admit(conversation, t.script({ succeed: {} }))
      expectStatus(await t.me.cancel(cancelled.run_id), 202)
      const last = admissions.at(-1)?.run_id ?? ''
      const stream = await t.me.events(conversation.conversation_id)
      const required = await stream.event('approval.required', ({ type }) => type === 'approval.required')
      await t.driver.decideApproval(String(payloadOf(required).approval_id), 'approved')
      await stream.event('the end of the last run', endsRun(last))
      for (const { run_id: runId, message_id: messageId } of [...admissions, cancelled]) {
        const own = stream.events.filter(
          ({ run_id, type }) => run_id === runId && (type.startsWith('run.') || type === 'approval.required'),
        )
        assert.ok(own.length >= 1, `the run ${runId} has no run events`)
        for (const event of own)
          assert.equal(
            event.message_id,
            messageId,
            `event ${event.seq} ${event.type} has the message_id ${event.message_id}, expected ${messageId}`,
          )
      }
    },
  },
]
