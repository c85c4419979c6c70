import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { upload } from '../../../kit/steps/attachments.ts'
import { unknownId } from '../../../kit/steps/records.ts'
import {
  cancelRun,
  completeWorkElsewhere,
  contentOf,
  expectNoResult,
  expectRunEnd,
  readRun,
} from '../../../kit/steps/runs.ts'
import { inputsIn, readSnapshot } from '../../../kit/steps/snapshots.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'runs/record-of-the-admission',
    title: 'a run names its own message, conversation and generation while it is queued, executing and ended',
    rules: ['RUN-01', 'RUN-05'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ hang: true })
      const waiting = await t.admit(conversation, t.script({ succeed: { text: 'second' } }))
      const elsewhere = await t.start({ succeed: { text: 'other conversation' } })
      const expectOwn = async ({ run_id, message_id, conversation_id, generation }: typeof waiting) => {
        const run = await readRun(t, run_id)
        assert.deepEqual(
          [run.run_id, run.message_id, run.conversation_id, run.generation],
          [run_id, message_id, conversation_id, generation],
        )
        return run.state
      }
      await t.runIn(admission.run_id, ['running'])
      for (const one of [admission, waiting, elsewhere.admission]) await expectOwn(one)
      await t.me.cancel(admission.run_id)
      await t.runEnded(waiting.run_id)
      assert.equal(await expectOwn(waiting), 'succeeded')
      expectRefusal(await t.me.run(unknownId(admission.run_id)), 404)
    },
  },
  {
    id: 'runs/one-run-for-each-message',
    title:
      'each admitted message has exactly one run; the ID of the run gives access to its result, events and cancellation',
    rules: ['RUN-02'],
    tags: ['race'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.startIn('running', { hang: true })
      const { conversation_id: id } = conversation
      const input = t.script({ delta: 'answer' }, { succeed: { text: 'answer' } })
      const sent = [admission, ...(await Promise.all([1, 2, 3, 4].map(() => t.admit(conversation, input))))]
      // Requests repeated with one key create only one message.
      const key = t.fresh('key')
      const repeated = await Promise.all([1, 2, 3, 4].map(() => t.me.send(id, input, { key })))
      sent.push(...repeated.slice(0, 1).map((answer) => expectStatus(answer, 202).body))
      assert.equal(new Set(sent.flatMap(({ run_id, message_id }) => [run_id, message_id])).size, 2 * sent.length)

      const { runs } = await readSnapshot(t, id)
      assert.deepEqual(runs.map(({ run_id }) => run_id).sort(), sent.map(({ run_id }) => run_id).sort())
      assert.deepEqual(
        (await inputsIn(t, id)).map(({ message_id, run_id }) => [message_id, run_id]).sort(),
        sent.map(({ message_id, run_id }) => [message_id, run_id]).sort(),
        'the messages and runs in the history are not those of the admissions',
      )

      const [, cancelled, completed] = sent
      assert.ok(cancelled !== undefined && completed !== undefined)
      expectStatus(await t.me.cancel(cancelled.run_id), 202)
      expectStatus(await t.me.cancel(admission.run_id), 202)
      assert.equal((await t.runEnded(completed.run_id)).result?.text, 'answer')
      await expectRunEnd(t, cancelled.run_id, 'cancelled')
      const stream = await t.me.runEvents(completed.run_id, { after: 0 })
      await stream.event('run.completed', ({ type }) => type === 'run.completed')
      assert.ok(
        stream.events.every(({ run_id }) => run_id === completed.run_id),
        `the stream of the run ${completed.run_id} has events of another run`,
      )
    },
  },
  {
    id: 'runs/timestamps',
    title:
      'created_at is the time of admission and never changes; updated_at changes with every change of the run, and only then',
    rules: ['RUN-07'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ hang: true })
      const waiting = await t.admit(conversation, t.script({ hang: true }))
      const timesOf = async (runId: string) => {
        const { created_at, updated_at } = await readRun(t, runId)
        for (const time of [created_at, updated_at]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.ok(updated_at >= created_at, `updated_at ${updated_at} lies before created_at ${created_at}`)
        return { createdAt: created_at, updatedAt: updated_at }
      }
      const first = await timesOf(admission.run_id)
      const queued = await timesOf(waiting.run_id)
      assert.ok(
        queued.createdAt >= first.createdAt,
        `a later message has the earlier created_at ${queued.createdAt}, before ${first.createdAt}`,
      )
      assert.ok(
        Math.abs(Date.parse(queued.createdAt) - t.now()) < 300_000,
        `created_at ${queued.createdAt} of a new run differs from the current time by more than 5 minutes`,
      )
      await completeWorkElsewhere(t)
      await cancelRun(t, admission.run_id)
      const ended = await timesOf(admission.run_id)
      assert.equal(ended.createdAt, first.createdAt)
      assert.ok(ended.updatedAt > ended.createdAt, `updated_at ${ended.updatedAt} did not change when the run ended`)
      await t.runIn(waiting.run_id, ['running'])
      const running = await timesOf(waiting.run_id)
      assert.equal(running.createdAt, queued.createdAt)
      assert.ok(
        running.updatedAt > queued.updatedAt,
        `updated_at ${running.updatedAt} did not change when the run started`,
      )
      await completeWorkElsewhere(t)
      if (t.profile === 'reference')
        assert.deepEqual(
          await timesOf(admission.run_id),
          ended,
          'created_at or updated_at changed after the run had ended',
        )
    },
  },
  {
    id: 'runs/result-comes-with-the-end',
    title: 'result is null while a run is queued, executing or awaits approval; a succeeded run has its result',
    rules: ['RUN-08', 'RUN-20'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'some ' }, { delta: 'output' }, { hang: true })
      const stream = await t.me.events(conversation.conversation_id, { after: 0 })
      const answered = await t.admit(conversation, t.script({ delta: 'streamed' }, { succeed: { text: 'the result' } }))
      const silent = await t.admit(conversation, t.script({ succeed: {} }))
      const approval = await t.admit(conversation, t.script({ delta: 'before' }, { approval: 'May I?' }))
      await stream.event('output', ({ type }) => type.startsWith('assistant.'))
      for (const { run_id } of [admission, answered]) expectNoResult(t, await readRun(t, run_id))
      await t.me.cancel(admission.run_id)
      const done = await expectRunEnd(t, answered.run_id, 'succeeded')
      assert.equal(done.result?.text, 'the result')
      assert.equal(done.result?.error ?? null, null, 'a succeeded run has result.error')
      const empty = await expectRunEnd(t, silent.run_id, 'succeeded')
      if (t.profile === 'reference') assert.ok(empty.result !== null, 'the result of a succeeded run is null')
      expectNoResult(t, await t.runIn(approval.run_id, ['waiting_approval']))
      const completed = await stream.event(
        'run.completed',
        ({ type, run_id }) => type === 'run.completed' && run_id === answered.run_id,
      )
      const reported = 'result' in completed.payload ? completed.payload.result : undefined
      assert.deepEqual(contentOf(reported), contentOf(done.result))
    },
  },
  {
    id: 'runs/result-members',
    title: 'a result has exactly the text and the attachments that the assistant returned',
    rules: ['RUN-09'],
    run: async (t) => {
      const ids = [(await upload(t)).resource_id, (await upload(t)).resource_id]
      const text = ' Zeile 1\n"zwei" — 三 😀\n'
      const { conversation, admission } = await t.start({ succeed: { text, resource_ids: ids } })
      const plain = await t.admit(conversation, t.script({ succeed: { text: 'plain' } }))
      const whole = await t.runEnded(admission.run_id)
      assert.deepEqual([whole.state, whole.result?.text, whole.result?.resource_ids], ['succeeded', text, ids])
      const { result } = await t.runEnded(plain.run_id)
      assert.deepEqual([result?.text, result?.resource_ids ?? []], ['plain', []])
    },
  },
  {
    id: 'runs/failure-tells-its-cause',
    title: 'a run whose assistant fails is failed, and its record has the cause only in result.error',
    rules: ['RUN-21'],
    streams: 1,
    run: async (t) => {
      const cause = { code: 'SUITE_BROKE_IT', message: 'The suite requested this failure.', retryable: false }
      const { conversation, admission } = await t.start({ fail: cause })
      const next = await t.admit(conversation, t.script({ succeed: { text: 'goes on' } }))
      const failed = await expectRunEnd(t, admission.run_id, 'failed')
      const { result, ...others } = failed
      // A run may omit its error. If it reports one, it must be in result.error.
      if ((result?.error ?? null) === null)
        assert.ok(
          !JSON.stringify(others).includes(cause.message),
          'the run contains the error message outside result.error',
        )
      const stream = await t.me.runEvents(admission.run_id, { after: 0 })
      const event = await stream.event('run.failed', ({ type }) => type === 'run.failed')
      // The specification does not define the shape of either error.
      if (t.profile === 'reference' && 'error' in event.payload)
        assert.deepEqual(event.payload.error, failed.result?.error)
      assert.ok(
        !stream.events.some(({ type }) => type === 'run.completed'),
        'the failed run has an event run.completed',
      )
      await expectRunEnd(t, next.run_id, 'succeeded')
    },
  },
  {
    id: 'runs/partial-output-of-a-failure',
    title: 'the result of a failed run keeps the output so far',
    rules: ['RUN-10'],
    run: async (t) => {
      const cause = { code: 'SUITE_BROKE_IT', message: 'The suite requested this failure.' }
      const { admission } = await t.start({ delta: 'half an ' }, { delta: 'answer' }, { fail: cause })
      const { state, result } = await t.runEnded(admission.run_id)
      assert.deepEqual([state, result?.text], ['failed', 'half an answer'])
    },
  },
  {
    id: 'runs/error-shape',
    title: 'result.error has the code, message and retryable of the assistant; retryable is false by default',
    rules: ['RUN-34'],
    run: async (t) => {
      const conversation = await t.conversation()
      const causes = [
        { code: 'OUT_OF_STOCK', message: 'The item is out of stock.', retryable: true },
        { code: 'E2', message: 'The order does not exist — ask for another one.', retryable: false },
      ]
      for (const cause of causes) {
        const { run_id } = await t.admit(conversation, t.script({ fail: cause }))
        assert.deepEqual((await t.runEnded(run_id)).result?.error, cause)
      }
      const { run_id } = await t.admit(conversation, t.script({ fail: { code: 'PLAIN', message: 'It failed.' } }))
      const error = (await t.runEnded(run_id)).result?.error
      assert.deepEqual(error, { code: 'PLAIN', message: 'It failed.', retryable: false })
    },
  },
]
