import assert from 'node:assert/strict'
import { type ServerCheck, TERMINAL_STATES } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { ownDevice } from '../../../kit/steps/devices.ts'
import { expectOperationEnd } from '../../../kit/steps/operation-paths.ts'
import { completeReset, resetConversation } from '../../../kit/steps/resets.ts'
import {
  admitHanging,
  cancelRun,
  completeWorkElsewhere,
  expectRunEnd,
  expectRunState,
  readRun,
} from '../../../kit/steps/runs.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'reset/rejects-unfinished-work',
    title:
      'without a policy, and with reject, a reset is 409 BUSY while a run executes or awaits an approval, and stops nothing',
    rules: ['RESET-04', 'RESET-05'],
    run: async (t) => {
      for (const [state, step] of [
        ['running', { hang: true }],
        ['waiting_approval', { approval: 'May I?' }],
      ] as const) {
        const { conversation, admission } = await t.start(step)
        const { conversation_id: id } = conversation
        await t.runIn(admission.run_id, [state])
        const queued = await t.admit(conversation, t.script({ succeed: {} }))
        for (const policy of [undefined, 'reject']) expectRefusal(await t.me.reset(id, 1, policy), 409, 'BUSY')
        await completeWorkElsewhere(t)
        await expectRunState(t, admission.run_id, state, 'a reset that was refused stopped a run')
        await expectRunState(t, queued.run_id, 'queued', 'a reset that was refused emptied the queue')
        const last = expectStatus(await t.me.send(id, t.script({ succeed: {} })), 202).body
        await t.me.cancel(admission.run_id)
        for (const { run_id: runId } of [queued, last]) await t.runEnded(runId)
        assert.equal((await completeReset(t, id, 1)).ref.generation, 2)
      }
    },
  },
  {
    id: 'reset/rejects-work-that-is-stopping',
    title: 'a reset is 409 BUSY while the last run is being cancelled, and succeeds once it has stopped',
    rules: ['RESET-05'],
    run: async (t) => {
      const { id, runId, answers } = await observeDuringStop(async (stopDelayMs) => {
        const { conversation, admission } = await t.startIn('running', { stop_delay_ms: stopDelayMs }, { hang: true })
        const { conversation_id: id } = conversation
        await t.me.cancel(admission.run_id)
        const answers = await Promise.all([undefined, 'reject'].map((policy) => t.me.reset(id, 1, policy)))
        const over = (await readRun(t, admission.run_id)).state === 'cancelled'
        return { over, id, runId: admission.run_id, answers }
      })
      for (const answer of answers) expectRefusal(answer, 409, 'BUSY')
      await expectRunEnd(t, runId, 'cancelled')
      assert.equal((await completeReset(t, id, 1)).ref.generation, 2)
    },
  },
  {
    id: 'reset/rejects-queued-work',
    title: 'a reset is 409 BUSY even if all unfinished work is queued, and removes none of it from the queue',
    rules: ['RESET-04', 'RESET-05'],
    needs: ['driver.createService', 'driver.pauseDevice', 'driver.resumeDevice'],
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const { conversation_id: id } = conversation
      const executing = await admitHanging(t, conversation)
      const { run_id: queued } = await t.admit(conversation, t.script({ succeed: {} }))
      await t.driver.pauseDevice(endpointId)
      await cancelRun(t, executing)
      if ((await readRun(t, queued)).state !== 'queued') t.untestable('a paused device still starts queued work here')
      for (const policy of [undefined, 'reject']) expectRefusal(await t.me.reset(id, 1, policy), 409, 'BUSY')
      await expectRunState(t, queued, 'queued')
      assert.equal((await readSnapshot(t, id)).generation, 1)
      await completeReset(t, id, 1, 'cancel_and_reset')
      await expectRunState(t, queued, 'cancelled')
      await t.driver.resumeDevice(endpointId)
    },
  },
  {
    id: 'reset/cancels-unfinished-work',
    title: 'cancel_and_reset cancels the executing and every queued run of the conversation, and nothing else',
    rules: ['RESET-06'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ succeed: { text: 'before' } })
      const { conversation_id: id } = conversation
      const done = await t.runEnded(admission.run_id)
      const executing = await t.admit(conversation, t.script({ hang: true }))
      await t.runIn(executing.run_id, ['running'])
      const queued = await Promise.all([1, 2, 3, 4].map(() => t.admit(conversation, t.script({ succeed: {} }))))
      const elsewhere = await t.start({ hang: true })
      const waitsElsewhere = await t.admit(elsewhere.conversation, t.script({ succeed: {} }))
      await t.runIn(elsewhere.admission.run_id, ['running'])

      await completeReset(t, id, 1, 'cancel_and_reset')
      for (const { run_id: runId } of [executing, ...queued])
        await expectRunState(t, runId, 'cancelled', 'unfinished work is left')
      assert.deepEqual(await readRun(t, done.run_id), done, 'an ended run was changed')
      await completeWorkElsewhere(t)
      await expectRunState(t, elsewhere.admission.run_id, 'running', 'another conversation was stopped')
      await expectRunState(t, waitsElsewhere.run_id, 'queued', 'the queue of another conversation was emptied')
    },
  },
  {
    id: 'reset/advances-when-all-has-stopped',
    title:
      'with cancel_and_reset the generation advances, and the operation succeeds, only when everything has stopped',
    rules: ['RESET-07', 'RESET-10'],
    run: async (t) => {
      const { id, operationId } = await observeDuringStop(async (stopDelayMs) => {
        const { conversation } = await t.startIn('running', { stop_delay_ms: stopDelayMs }, { hang: true })
        const { conversation_id: id } = conversation
        await t.admit(conversation, t.script({ succeed: {} }))
        const askedAt = performance.now()
        const control = await resetConversation(t, id, 1, 'cancel_and_reset')
        const { generation } = await readSnapshot(t, id)
        const over = performance.now() - askedAt >= stopDelayMs
        if (!over) {
          assert.equal(generation, 1, 'the generation has advanced although a run cannot have stopped yet')
          assert.notEqual(control.state, 'succeeded')
        }
        return { over, id, operationId: control.operation_id }
      })
      await t.until(
        'the generation has advanced',
        async () => {
          const { generation, runs } = await readSnapshot(t, id)
          const unfinished = runs.filter(({ state }) => !TERMINAL_STATES.has(state))
          if (generation > 1) assert.deepEqual(unfinished, [], 'the generation advanced before all work had stopped')
          return generation
        },
        (generation) => generation > 1,
      )
      const operation = await t.operationEnded(operationId)
      assert.deepEqual([operation.state, operation.ref.generation], ['succeeded', 2])
      assert.equal((await readSnapshot(t, id)).generation, 2)
    },
  },
  {
    id: 'reset/messages-race-the-reset',
    title: 'messages concurrent with a reset are either admitted before it and cancelled by it, or refused',
    rules: ['RESET-06', 'RESET-07'],
    tags: ['race'],
    run: async (t) => {
      for (let round = 0; round < 3; round += 1) {
        const { conversation } = await t.startIn('running', { stop_delay_ms: 60 }, { hang: true })
        const { conversation_id: id } = conversation
        const send = () => t.me.send(id, t.script({ hang: true }))
        const [before, control, after] = await Promise.all([
          Promise.all([send(), send(), send()]),
          resetConversation(t, id, 1, 'cancel_and_reset'),
          Promise.all([send(), send(), send()]),
        ])
        await expectOperationEnd(t, control.operation_id, 'succeeded')
        for (const answer of [...before, ...after]) {
          expectStatus(answer, 202, 409)
          if (answer.status !== 202) continue
          assert.equal(answer.body.generation, 1)
          await expectRunState(t, answer.body.run_id, 'cancelled', 'a run admitted before the reset was not cancelled')
        }
      }
    },
  },
]
