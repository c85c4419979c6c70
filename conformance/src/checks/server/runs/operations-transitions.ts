import assert from 'node:assert/strict'
import { type ServerCheck, TERMINAL_STATES } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { moveClockAndSettle } from '../../../kit/steps/moved-clock.ts'
import { expectAllowedStates, followOperation, isComplete, readOperation } from '../../../kit/steps/operation-paths.ts'
import { completeReset, resetConversation } from '../../../kit/steps/resets.ts'
import { readRun } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

/** Longer than a device may take to confirm a stop (D-20). */
const STOP_WINDOW_MS = 61_000
/** How often the clock is moved at most: only D-20 limits how long a stop may take. */
const MOVES = 10

export const checks: readonly ServerCheck[] = [
  {
    id: 'operations/transitions',
    title: 'operations move only forward, to stopping and to succeeded, and do not change after they have succeeded',
    rules: ['OPER-14', 'OPER-16'],
    run: async (t) => {
      const operations = []
      for (const kind of ['cancel', 'reset'] as const) {
        const { conversation, admission } = await t.startIn('running', { stop_delay_ms: 150 }, { hang: true })
        const queued = await t.admit(conversation, t.script({ succeed: {} }))
        if (kind === 'cancel') {
          operations.push(expectStatus(await t.me.cancel(queued.run_id), 202).body)
          operations.push(expectStatus(await t.me.cancel(admission.run_id), 202).body)
        } else operations.push(await resetConversation(t, conversation.conversation_id, 1, 'cancel_and_reset'))
      }
      for (const operation of operations) {
        const states = await followOperation(t, operation)
        expectAllowedStates(states)
        assert.equal(states.at(-1), 'succeeded')
        const before = await readOperation(t, operation.operation_id)
        const { conversation_id: id } = before.ref
        const { generation } = await readSnapshot(t, id)
        await completeReset(t, id, generation, 'cancel_and_reset')
        assert.deepEqual(
          await readOperation(t, operation.operation_id),
          before,
          'a reset changed an operation that had succeeded',
        )
      }
    },
  },
  {
    id: 'operations/failed-is-no-success',
    title: 'an operation that has failed did not do its work: it did not cancel the run or advance the generation',
    rules: ['OPER-11'],
    tags: ['slow'],
    alone: 'all',
    needs: ['driver.moveClock'],
    run: async (t) => {
      const ignoring = [
        await t.start({ ignore_stop: true }, { hang: true }),
        await t.start({ ignore_stop: true }, { hang: true }),
      ]
      for (const { admission } of ignoring) await t.runIn(admission.run_id, ['running'])
      const [cancelled, resetting] = ignoring
      assert.ok(cancelled !== undefined && resetting !== undefined)
      const cancel = expectStatus(await t.me.cancel(cancelled.admission.run_id), 202).body
      const { conversation_id: id } = resetting.conversation
      const reset = await resetConversation(t, id, 1, 'cancel_and_reset')
      for (const { state } of [cancel, reset])
        assert.notEqual(state, 'succeeded', 'an operation has succeeded although the device has not confirmed the stop')
      const read = () =>
        Promise.all([cancel, reset].map(({ operation_id: operationId }) => readOperation(t, operationId)))
      for (let moves = 0; moves < MOVES && !(await read()).every(({ state }) => isComplete(state)); moves += 1)
        await moveClockAndSettle(t, STOP_WINDOW_MS)
      const [ofCancel, ofReset] = await read()
      assert.ok(ofCancel !== undefined && ofReset !== undefined)
      const { state } = await readRun(t, cancelled.admission.run_id)
      const { generation } = await readSnapshot(t, id)
      if (ofCancel.state === 'succeeded')
        assert.ok(TERMINAL_STATES.has(state), `the cancel has succeeded, but its run is ${state}`)
      if (ofReset.state === 'succeeded')
        assert.equal(generation, 2, `the reset has succeeded, but the generation is ${generation}`)
      if (t.profile === 'core' && (ofCancel.state !== 'failed' || ofReset.state !== 'failed'))
        t.untestable('a stop that is not confirmed does not make its operation fail here')
      assert.deepEqual([ofCancel.state, ofReset.state], ['failed', 'failed'])
      assert.notEqual(state, 'cancelled', 'the cancel has failed, but its run is cancelled')
      assert.equal(
        ofReset.ref.generation,
        1,
        `the failed reset names the generation ${ofReset.ref.generation}, expected 1`,
      )
      assert.equal(generation, 1, `the reset has failed, but the generation is ${generation}`)
    },
  },
  {
    id: 'operations/failed-stays',
    title: 'an operation that has failed does not change later, even if its run is cancelled again',
    rules: ['OPER-16'],
    tags: ['slow'],
    alone: 'all',
    needs: ['driver.moveClock'],
    run: async (t) => {
      const { admission } = await t.startIn('running', { ignore_stop: true }, { hang: true })
      const control = expectStatus(await t.me.cancel(admission.run_id), 202).body
      await moveClockAndSettle(t, STOP_WINDOW_MS)
      const states = await followOperation(t, control)
      expectAllowedStates(states)
      assert.equal(states.at(-1), 'failed')
      const before = await readOperation(t, control.operation_id)
      for (let moves = 0; moves < 2; moves += 1) await moveClockAndSettle(t, STOP_WINDOW_MS)
      const second = expectStatus(await t.me.cancel(admission.run_id), 202).body
      await moveClockAndSettle(t, STOP_WINDOW_MS)
      await followOperation(t, second)
      assert.deepEqual(await readOperation(t, control.operation_id), before)
    },
  },
]
