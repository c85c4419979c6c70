import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { moveUntil } from '../../../kit/steps/devices.ts'
import { closeStream, streamedText } from '../../../kit/steps/events.ts'
import { expectOperationEnd } from '../../../kit/steps/operation-paths.ts'
import { expectRunEnd, expectRunState, readRun } from '../../../kit/steps/runs.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'
import { readHistory } from '../../../kit/steps/snapshots.ts'

const STOP_WINDOW_MS = 60_000

/** Waits until the run has emitted a delta. */
async function untilOutput(t: ServerContext, runId: string): Promise<void> {
  const stream = await t.me.runEvents(runId)
  await stream.event('output', ({ type }) => type === 'assistant.delta')
  await closeStream(stream)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'scripts/hang',
    title: 'hang continues until the run is stopped, and no later step is executed',
    rules: ['SCRIPT-09'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start({ delta: 'half' }, { hang: true }, { delta: 'never' }, { succeed: {} })
      const stream = await t.me.runEvents(admission.run_id)
      await stream.event('output', ({ type }) => type === 'assistant.delta')
      // A later run ends after its sleep, so the hanging run does not end merely because time passes.
      await t.runEnded((await t.start({ sleep_ms: 300 }, { succeed: {} })).admission.run_id)
      await expectRunState(t, admission.run_id, 'running')
      const { operation_id } = expectStatus(await t.me.cancel(admission.run_id), 202).body
      await expectOperationEnd(t, operation_id, 'succeeded')
      await expectRunEnd(t, admission.run_id, 'cancelled')
      assert.equal(streamedText(stream.events), 'half')
    },
  },
  {
    id: 'scripts/stop-delay',
    title: 'stop_delay_ms delays the confirmation of a later stop by that time',
    rules: ['SCRIPT-10'],
    streams: 1,
    run: async (t) => {
      const { runId, operationId, cancelling, delayMs } = await observeDuringStop(async (stopDelayMs) => {
        const { admission } = await t.start({ stop_delay_ms: stopDelayMs }, { delta: 'a' }, { hang: true })
        await untilOutput(t, admission.run_id)
        const startedAt = performance.now()
        const { operation_id } = expectStatus(await t.me.cancel(admission.run_id), 202).body
        const cancelling = await readRun(t, admission.run_id)
        const over = performance.now() - startedAt >= stopDelayMs
        return { over, runId: admission.run_id, operationId: operation_id, cancelling, delayMs: stopDelayMs }
      })
      assert.equal(cancelling.state, 'cancelling', `the run is ${cancelling.state} right after the cancel`)
      await expectOperationEnd(t, operationId, 'succeeded')
      const cancelled = await expectRunEnd(t, runId, 'cancelled')
      const tookMs = Date.parse(cancelled.updated_at) - Date.parse(cancelling.updated_at)
      assert.ok(
        tookMs >= delayMs,
        `a stop with stop_delay_ms ${delayMs} took only ${tookMs} ms by updated_at of the run`,
      )
    },
  },
  {
    id: 'scripts/no-stop-delay',
    title: 'the delay of a stop applies only to its own script: a delay of 10 minutes does not affect other stops',
    rules: ['SCRIPT-10'],
    streams: 1,
    run: async (t) => {
      const { admission: slow } = await t.start({ stop_delay_ms: 600_000 }, { delta: 'a' }, { hang: true })
      const { admission: quick } = await t.start({ delta: 'a' }, { hang: true })
      for (const { run_id: runId } of [slow, quick]) {
        await untilOutput(t, runId)
        expectStatus(await t.me.cancel(runId), 202)
      }
      await expectRunEnd(t, quick.run_id, 'cancelled')
      await expectRunState(t, slow.run_id, 'cancelling')
    },
  },
  {
    id: 'scripts/ignore-stop',
    title: 'ignore_stop leaves a later stop unconfirmed until its window ends',
    rules: ['SCRIPT-11'],
    needs: ['driver.moveClock'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      const { admission: ignoring } = await t.start({ ignore_stop: true }, { delta: 'a' }, { hang: true })
      const { admission: obedient } = await t.start({ delta: 'a' }, { hang: true })
      const operations = []
      for (const { run_id: runId } of [ignoring, obedient]) {
        await untilOutput(t, runId)
        operations.push(expectStatus(await t.me.cancel(runId), 202).body.operation_id)
      }
      await expectRunEnd(t, obedient.run_id, 'cancelled')
      await expectRunState(t, ignoring.run_id, 'cancelling')
      await t.driver.moveClock(STOP_WINDOW_MS + 1000)
      const [operationId = ''] = operations
      await expectOperationEnd(t, operationId, 'failed')
      // The worker may already have reported the run again, so that it is running: the event proves that it was
      // reconciling.
      const stream = await t.me.runEvents(ignoring.run_id)
      await stream.event(
        'run.updated with reconciling',
        ({ type, payload }) => type === 'run.updated' && Object(payload).state === 'reconciling',
      )
      assert.notEqual((await readRun(t, ignoring.run_id)).state, 'cancelled')
    },
  },
  {
    id: 'scripts/crash',
    title:
      'crash makes the worker drop its lease: the run becomes reconciling or interrupted, executes no later step, and other runs continue',
    rules: ['SCRIPT-12'],
    needs: ['driver.moveClock'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      const { admission: parallel } = await t.start(
        { delta: 'a' },
        { sleep_ms: 400 },
        { succeed: { text: 'parallel' } },
      )
      const { admission } = await t.start({ delta: 'half' }, { crash: true }, { delta: 'never' }, { succeed: {} })
      await untilOutput(t, admission.run_id)
      assert.equal((await t.runEnded(parallel.run_id)).result?.text, 'parallel')
      const { admission: after } = await t.start({ sleep_ms: 100 }, { succeed: { text: 'after' } })
      assert.equal((await t.runEnded(after.run_id)).result?.text, 'after')
      // A gateway may notice a dropped lease at once or when it ends.
      const { state } = await readRun(t, admission.run_id)
      assert.ok(
        ['running', 'reconciling', 'interrupted'].includes(state),
        `a run whose lease was dropped is ${state}, expected running, reconciling or interrupted`,
      )
      if (state === 'running') await moveUntil(t, admission.run_id, ['reconciling', 'interrupted'])
      const messages = await readHistory(t, admission.conversation_id)
      assert.ok(!messages.some(({ content }) => content.text?.includes('never')), 'a step after the crash was executed')
    },
  },
]
