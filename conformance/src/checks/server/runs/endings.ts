import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { endAsEach } from '../../../kit/steps/ended-runs.ts'
import { expectOperationEnd } from '../../../kit/steps/operation-paths.ts'
import { statesIn } from '../../../kit/steps/run-paths.ts'
import { expectRunEnd, expectRunState, readRun } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'runs/cancelled-is-the-end',
    title:
      'a cancelled run has ended without success: it is never completed, and the next run of its conversation starts',
    rules: ['RUN-22'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'half' }, { hang: true })
      const stream = await t.me.events(conversation.conversation_id, { after: 0 })
      await stream.event('output', ({ type }) => type.startsWith('assistant.'))
      const next = await t.admit(conversation, t.script({ succeed: { text: 'next' } }))
      await t.me.cancel(admission.run_id)
      const cancelled = await expectRunEnd(t, admission.run_id, 'cancelled')
      await stream.event('the next run', ({ type, run_id }) => type === 'run.completed' && run_id === next.run_id)
      assert.ok(
        !stream.events.some(({ type, run_id }) => type === 'run.completed' && run_id === admission.run_id),
        `the events report the cancelled run ${admission.run_id} as completed`,
      )
      const { state, result } = await readRun(t, admission.run_id)
      assert.deepEqual([state, result], [cancelled.state, cancelled.result])
    },
  },
  {
    id: 'runs/queued-is-cancelled-at-once',
    title: 'a queued run is cancelled while an earlier run executes, and never starts',
    rules: ['RUN-26'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.startIn('running', { hang: true })
      const input = t.script({ succeed: { text: 'late' } })
      const queued = [await t.admit(conversation, input), await t.admit(conversation, input)]
      const last = await t.admit(conversation, input)
      for (const { run_id: runId } of queued) {
        expectStatus(await t.me.cancel(runId), 202)
        // The answer may come before the run is cancelled (D-20 forbids that); the executing run never ends on its own.
        await t.runIn(runId, ['cancelled'])
      }
      await expectRunState(t, admission.run_id, 'running', 'cancelling a queued run stopped the executing one')
      await expectRunState(t, last.run_id, 'queued', 'cancelling a queued run removed another one from the queue')
      await t.me.cancel(admission.run_id)
      await t.runEnded(last.run_id)
      const stream = await t.me.events(conversation.conversation_id, { after: 0 })
      await stream.event('the last run', ({ type, run_id }) => type === 'run.completed' && run_id === last.run_id)
      const dropped = queued.map(({ run_id }) => run_id)
      assert.ok(
        !stream.events.some(({ type, run_id }) => type === 'run.started' && dropped.includes(run_id ?? '')),
        'a run that was cancelled in the queue has started',
      )
      for (const runId of dropped) await expectRunState(t, runId, 'cancelled')
    },
  },
  {
    id: 'runs/finished-run-keeps-its-end',
    title: 'cancelling a run that has ended changes neither its state nor its result',
    rules: ['RUN-30'],
    run: async (t) => {
      for (const { state, runId } of await endAsEach(t)) {
        const before = await readRun(t, runId)
        assert.equal(before.state, state)
        const { status } = await t.me.cancel(runId)
        assert.ok(status < 500, `cancelling a run that is ${state} is answered with ${status}`)
        const after = await readRun(t, runId)
        assert.deepEqual(
          [after.state, after.result],
          [before.state, before.result],
          `cancelling changed a run that was ${state}`,
        )
      }
    },
  },
  {
    id: 'runs/cancel-races-the-end',
    title: 'a cancel concurrent with the end of its run leaves one terminal state, which does not change',
    rules: ['RUN-30'],
    tags: ['race'],
    run: async (t) => {
      const conversation = await t.conversation()
      for (let ms = 0; ms < 8; ms += 1) {
        const { run_id: runId } = await t.admit(
          conversation,
          t.script({ sleep_ms: 3 * ms }, { succeed: { text: 'x' } }),
        )
        await t.runIn(runId, ['running', 'succeeded'])
        const { body: control } = expectStatus(await t.me.cancel(runId), 202)
        const ended = await t.runEnded(runId)
        assert.ok(
          ['succeeded', 'cancelled'].includes(ended.state),
          `expected succeeded or cancelled, the run ended as ${ended.state}`,
        )
        await t.operationEnded(control.operation_id)
        await t.me.cancel(runId)
        const { state, result } = await readRun(t, runId)
        assert.deepEqual([state, result], [ended.state, ended.result])
      }
    },
  },
  {
    id: 'runs/cancel-of-what-has-ended-succeeds',
    title: 'cancelling a run that has already finished gives a succeeded operation',
    rules: ['RUN-29'],
    run: async (t) => {
      for (const { state, runId } of await endAsEach(t)) {
        const { body: control } = expectStatus(await t.me.cancel(runId), 202)
        await expectOperationEnd(t, control.operation_id, 'succeeded', `the run was ${state}`)
      }
    },
  },
  {
    id: 'runs/terminal-state-never-changes',
    title: 'no cancel, later message or reset changes a run that has ended, and its terminal event is its last',
    rules: ['RUN-41'],
    streams: 1,
    run: async (t) => {
      const ended = await endAsEach(t)
      const before = await Promise.all(ended.map(({ runId }) => readRun(t, runId)))
      for (const { conversation_id: id, run_id: runId, state } of before) {
        await t.me.cancel(runId)
        const later = expectStatus(await t.me.send(id, t.script({ succeed: {} })), 202).body
        await t.runEnded(later.run_id)
        const { body: control } = await t.me.reset(id, 1, 'cancel_and_reset')
        await t.operationEnded(control.operation_id)
        const { watermark } = await readSnapshot(t, id)
        const stream = await t.me.events(id, { after: 0 })
        await stream.until('all events', ({ events }) => events.at(-1)?.seq === watermark)
        stream.close()
        const states = statesIn(stream.events, runId)
        assert.equal(states.indexOf(state), states.length - 1, `events after the end: ${states.join(' → ')}`)
      }
      assert.deepEqual(await Promise.all(ended.map(({ runId }) => readRun(t, runId))), before)
    },
  },
]
