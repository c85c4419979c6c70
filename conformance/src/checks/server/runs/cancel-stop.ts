import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { expectOperationEnd, readOperation } from '../../../kit/steps/operation-paths.ts'
import { expectRunState, readRun } from '../../../kit/steps/runs.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'cancel/queued-at-once',
    title: 'cancelling a run that has not started returns a succeeded operation, and the run is already cancelled',
    rules: ['CANCEL-07'],
    run: async (t) => {
      const { conversation, admission } = await t.startIn('running', { hang: true })
      const admitted = [1, 2, 3].map(() => t.admit(conversation, t.script({ succeed: {} })))
      for (const { run_id: runId } of await Promise.all(admitted)) {
        const { body: control } = expectStatus(await t.me.cancel(runId), 202)
        assert.equal(control.state, 'succeeded')
        await expectRunState(t, runId, 'cancelled')
        assert.deepEqual(await readOperation(t, control.operation_id), control)
      }
      await expectRunState(t, admission.run_id, 'running')
    },
  },
  {
    id: 'cancel/started-is-stopping',
    title:
      'a started run is cancelling and its operation stopping until the device confirms; then cancelled and succeeded',
    rules: ['CANCEL-08', 'CANCEL-10'],
    run: async (t) => {
      for (const wait of [{ hang: true }, { approval: 'May I?' }] as const) {
        const { runId, operationId } = await observeDuringStop(async (stopDelayMs) => {
          const { admission } = await t.start({ stop_delay_ms: stopDelayMs }, { delta: 'half' }, wait)
          const { run_id: runId } = admission
          await t.runIn(runId, ['approval' in wait ? 'waiting_approval' : 'running'])
          const askedAt = performance.now()
          const { body: control } = expectStatus(await t.me.cancel(runId), 202)
          const { state } = await readRun(t, runId)
          const operation = await readOperation(t, control.operation_id)
          // The device cannot have confirmed the stop before the delay is over.
          const over = performance.now() - askedAt >= stopDelayMs
          if (!over) {
            assert.deepEqual([control.state, operation.state, state], ['stopping', 'stopping', 'cancelling'])
          }
          return { over, runId, operationId: control.operation_id }
        })
        await t.until(
          'the operation has succeeded',
          async () => {
            const [operation, run] = [await readOperation(t, operationId), await readRun(t, runId)]
            if (operation.state === 'succeeded')
              assert.equal(run.state, 'cancelled', `the operation has succeeded, but the run is ${run.state}`)
            return operation.state
          },
          (state) => state === 'succeeded',
        )
        await expectRunState(t, runId, 'cancelled')
      }
    },
  },
  {
    id: 'cancel/confirmed-together',
    title: 'once the run is cancelled its operation succeeds',
    rules: ['CANCEL-10'],
    run: async (t) => {
      const { admission } = await t.startIn('running', { stop_delay_ms: 100 }, { hang: true })
      const { body: control } = expectStatus(await t.me.cancel(admission.run_id), 202)
      await t.runIn(admission.run_id, ['cancelled'])
      await expectOperationEnd(t, control.operation_id, 'succeeded')
    },
  },
  {
    id: 'cancel/another-end-stands',
    title: 'if the run ends before it is stopped, it keeps that outcome and the operation succeeds',
    rules: ['CANCEL-11'],
    run: async (t) => {
      const ends = [
        { steps: { succeed: { text: 'done' } }, state: 'succeeded' },
        { steps: { fail: { code: 'BROKEN', message: 'It broke.' } }, state: 'failed' },
      ] as const
      for (const { steps, state } of ends) {
        const { admission } = await t.start({ ignore_stop: true }, { sleep_ms: 300 }, steps)
        await t.runIn(admission.run_id, ['running', state])
        const { body: control } = expectStatus(await t.me.cancel(admission.run_id), 202)
        await expectOperationEnd(t, control.operation_id, 'succeeded')
        const run = await readRun(t, admission.run_id)
        assert.equal(run.state, state, `the run ended as ${state}, and is shown as ${run.state}`)
        if (state === 'succeeded') assert.equal(run.result?.text, 'done')
        else assert.equal(run.result?.error?.code, 'BROKEN')
        const { body: late } = expectStatus(await t.me.cancel(admission.run_id), 202)
        await expectOperationEnd(t, late.operation_id, 'succeeded', 'a cancel after the end has not succeeded')
        assert.deepEqual(await readRun(t, admission.run_id), run)
      }
    },
  },
  {
    id: 'cancel/second-cancel',
    title:
      'a run that is being cancelled can be cancelled again: each cancel has its own operation, and all end with the same stop',
    rules: ['CANCEL-14'],
    tags: ['race'],
    streams: 1,
    run: async (t) => {
      const { runId, operationIds } = await observeDuringStop(async (stopDelayMs) => {
        const { admission } = await t.startIn('running', { stop_delay_ms: stopDelayMs }, { hang: true })
        const { run_id: runId } = admission
        const askedAt = performance.now()
        const controls = [await t.me.cancel(runId), ...(await Promise.all([1, 2, 3].map(() => t.me.cancel(runId))))]
        const operationIds = controls.map((answer) => expectStatus(answer, 202).body.operation_id)
        const states = await Promise.all(operationIds.map(async (id) => (await readOperation(t, id)).state))
        const over = performance.now() - askedAt >= stopDelayMs
        if (!over)
          assert.deepEqual(
            new Set(states),
            new Set(['stopping']),
            `the operations must all be stopping, got ${states.join(', ')}`,
          )
        return { over, runId, operationIds }
      })
      assert.equal(new Set(operationIds).size, 4, 'two of 4 cancels with different keys returned the same operation')
      await t.runIn(runId, ['cancelled'])
      for (const operationId of operationIds)
        await expectOperationEnd(t, operationId, 'succeeded', 'the run was stopped, but an operation did not succeed')
      const stream = await t.me.runEvents(runId, { after: 0 })
      await stream.event('run.cancelled', ({ type }) => type === 'run.cancelled')
      const stops = stream.events.filter(({ payload }) => Object(payload).state === 'cancelling')
      assert.equal(stops.length, 1, `4 cancels caused ${stops.length} events with state cancelling, expected 1`)
    },
  },
]
