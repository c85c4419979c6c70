import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { findRecord } from '../../../kit/steps/conversations.ts'
import { moveClockAndSettle } from '../../../kit/steps/moved-clock.ts'
import { expectOperationEnd, readOperation } from '../../../kit/steps/operation-paths.ts'
import { resetConversation } from '../../../kit/steps/resets.ts'
import { readRun } from '../../../kit/steps/runs.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const STOP_WINDOW_MS = 60_000
/**
 * The time between the first move of the clock and the end of the stop window: enough for a slow machine, and shorter
 * than a lease.
 */
const REMAINDER_MS = 10_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'reset/generation-until-success',
    title: 'ref.generation of a reset is the current generation until the operation succeeds, and then the new one',
    rules: ['RESET-17'],
    run: async (t) => {
      const { conversation } = await t.startIn('running', { stop_delay_ms: 300 }, { hang: true })
      const control = await resetConversation(t, conversation.conversation_id, 1, 'cancel_and_reset')
      assert.equal(control.ref.generation, control.state === 'succeeded' ? 2 : 1)
      await t.until(
        'the reset has succeeded',
        async () => {
          const { state, ref } = await readOperation(t, control.operation_id)
          assert.equal(ref.generation, state === 'succeeded' ? 2 : 1, `ref.generation of an operation that is ${state}`)
          return state
        },
        (state) => state === 'succeeded',
      )
      const { state, ref } = await resetConversation(t, conversation.conversation_id, 2)
      assert.equal(ref.generation, state === 'succeeded' ? 3 : 2)
    },
  },
  {
    id: 'reset/busy-while-resetting',
    title:
      'while a conversation is resetting, messages, resets with either policy and direct runs by its key are 409 BUSY',
    rules: ['RESET-18'],
    run: async (t) => {
      const key = t.fresh('resetting')
      const { main } = t.config.services
      const { id, operationId, answers } = await observeDuringStop(async (stopDelayMs) => {
        const conversationKey = `${key}-${stopDelayMs}`
        const conversation = await t.conversation({ conversation_key: conversationKey })
        const { conversation_id: id } = conversation
        const { run_id: runId } = await t.admit(conversation, t.script({ stop_delay_ms: stopDelayMs }, { hang: true }))
        await t.runIn(runId, ['running'])
        const control = await resetConversation(t, id, 1, 'cancel_and_reset')
        const body = { input: { text: 'x' }, conversation_key: conversationKey }
        const answers = await Promise.all([
          t.me.send(id, { text: 'x' }),
          t.me.reset(id, 1, 'reject'),
          t.me.reset(id, 1, 'cancel_and_reset'),
          t.me.reset(id, 1),
          t.me.createRun(main, body),
          t.me.createRun(main, { ...body, expected_generation: 1 }),
        ])
        const record = await findRecord(t, id)
        const over = (await readOperation(t, control.operation_id)).state === 'succeeded'
        if (!over) assert.deepEqual([record.state, record.generation], ['resetting', 1])
        return { over, id, operationId: control.operation_id, answers }
      })
      for (const answer of answers) expectRefusal(answer, 409, 'BUSY')
      await expectOperationEnd(t, operationId, 'succeeded')
      const record = await findRecord(t, id)
      assert.deepEqual([record.state, record.generation], ['active', 2])
      const { runs } = await readSnapshot(t, id)
      assert.equal(runs.length, 1, 'work that was refused as BUSY was admitted')
      const again = { input: t.script({ succeed: {} }), conversation_key: record.business_key }
      assert.equal(expectStatus(await t.me.createRun(main, again), 202).body.conversation_id, id)
    },
  },
  {
    id: 'reset/stop-fails',
    title:
      'a reset whose stop is not confirmed fails: the generation stays, the conversation is active and admits messages',
    rules: ['RESET-19'],
    tags: ['slow'],
    alone: 'all',
    needs: ['driver.moveClock'],
    run: async (t) => {
      const { conversation, admission } = await t.startIn('running', { ignore_stop: true }, { hang: true })
      const { conversation_id: id } = conversation
      const control = await resetConversation(t, id, 1, 'cancel_and_reset')
      const askedAt = t.now()
      await moveClockAndSettle(t, STOP_WINDOW_MS - REMAINDER_MS)
      const early = await readOperation(t, control.operation_id)
      if (t.now() < askedAt + STOP_WINDOW_MS) assert.notEqual(early.state, 'failed', 'the operation failed too early')
      await t.driver.moveClock(Math.max(askedAt + STOP_WINDOW_MS - t.now(), 0))
      const operation = await t.operationEnded(control.operation_id)
      assert.deepEqual([operation.state, operation.ref.generation], ['failed', 1])
      const record = await findRecord(t, id)
      assert.deepEqual([record.state, record.generation], ['active', 1])
      const { body: admitted } = await t.until(
        'a message is admitted',
        () => t.me.send(id, t.script({ succeed: {} })),
        ({ status }) => status !== 503,
      )
      assert.equal(admitted.generation, 1)
      // When the run that could not be stopped ends, the failed reset must stay failed.
      for (let moves = 0; moves < 3; moves += 1) {
        await moveClockAndSettle(t, STOP_WINDOW_MS + 1000)
        const { state } = await readRun(t, admission.run_id)
        if (state === 'interrupted' || state === 'cancelled') break
      }
      assert.equal((await readOperation(t, control.operation_id)).state, 'failed', 'a failed reset succeeded later')
      assert.equal((await readSnapshot(t, id)).generation, 1)
    },
  },
]
