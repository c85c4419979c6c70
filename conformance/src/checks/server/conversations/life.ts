import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { isComplete, readOperation } from '../../../kit/steps/operation-paths.ts'
import { completeReset, expectOneReset, resetConversation } from '../../../kit/steps/resets.ts'
import { cancelRun, expectRunEnd, readRun, runToEnd } from '../../../kit/steps/runs.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'
import { readHistory, readSnapshot } from '../../../kit/steps/snapshots.ts'

const generationOf = async (t: ServerContext, id: string): Promise<number> => (await readSnapshot(t, id)).generation

async function resetNow(t: ServerContext, id: string, generation: number): Promise<void> {
  const { ref } = await completeReset(t, id, generation)
  assert.equal(ref.generation, generation + 1)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'conversations/creation-stops-nothing',
    title: 'creating conversations does not affect running, waiting and queued work in others',
    rules: ['CONV-10'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'before ' }, { approval: 'go on?' })
      await t.runIn(admission.run_id, ['waiting_approval'])
      const busy = await t.startIn('running', { hang: true })
      const queued = await t.admit(conversation, { text: 'later' })
      await t.conversation()
      await t.conversation({ conversation_key: t.fresh('order') })
      const { sameDevice } = t.config.services
      if (sameDevice !== undefined) await t.conversation({ endpoint_id: sameDevice })
      const marker = await t.start({ succeed: { text: 'done' } })
      await t.runEnded(marker.admission.run_id)
      const states = [admission, busy.admission, queued].map(async ({ run_id }) => (await t.me.run(run_id)).body.state)
      assert.deepEqual(await Promise.all(states), ['waiting_approval', 'running', 'queued'])
    },
  },
  {
    id: 'conversations/takes-later-messages',
    title: 'a conversation keeps its ID and accepts messages after runs have ended and after a reset',
    rules: ['CONV-11'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const failing = t.script({ fail: { code: 'BROKEN', message: 'It is broken.' } })
      const working = t.script({ succeed: { text: 'done' } })
      for (const [input, end] of [
        [working, 'succeeded'],
        [failing, 'failed'],
        [working, 'succeeded'],
      ] as const) {
        const admission = await t.admit(conversation, input)
        assert.equal(admission.conversation_id, id)
        await expectRunEnd(t, admission.run_id, end)
      }
      const hanging = await t.admit(conversation, t.script({ hang: true }))
      await cancelRun(t, hanging.run_id)
      await resetNow(t, id, 1)
      const after = await t.admit({ ...conversation, generation: 2 }, working)
      assert.deepEqual([after.conversation_id, after.generation], [id, 2])
      await expectRunEnd(t, after.run_id, 'succeeded')
    },
  },
  {
    id: 'conversations/survives-a-restart',
    title: 'a conversation and its messages survive a crash, and it accepts new messages',
    rules: ['CONV-11'],
    tags: ['durability'],
    needs: ['driver.restartServer'],
    alone: 'all',
    run: async (t) => {
      const conversation = await t.conversation({ conversation_key: t.fresh('order') })
      const { conversation_id: id } = conversation
      const input = t.script({ succeed: { text: 'done' } })
      await runToEnd(t, conversation, input)
      const before = expectStatus(await t.me.history(id), 200).body
      const created = await t.conversation()
      await t.driver.restartServer()
      assert.deepEqual(expectStatus(await t.me.history(id), 200).body, before)
      for (const one of [conversation, created]) await expectRunEnd(t, (await t.admit(one, input)).run_id, 'succeeded')
    },
  },
  {
    id: 'conversations/generation-counts-resets',
    title: 'the generation is 1 at first, and only a completed reset advances it, by exactly 1',
    rules: ['CONV-12'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      assert.equal(await generationOf(t, id), 1)
      for (const generation of [1, 2, 3]) {
        const { run_id: runId } = await t.admit({ ...conversation, generation }, t.script({ hang: true }))
        expectRefusal(await t.me.reset(id, generation, 'reject'), 409, 'BUSY')
        assert.equal(await generationOf(t, id), generation, 'a refused reset or a message advanced the generation')
        await cancelRun(t, runId)
        await resetNow(t, id, generation)
        assert.equal(await generationOf(t, id), generation + 1)
      }
    },
  },
  {
    id: 'conversations/simultaneous-resets-advance-once',
    title: 'of simultaneous resets of one generation one succeeds, and the generation grows by 1',
    rules: ['CONV-12'],
    tags: ['race'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const answers = await Promise.all(Array.from({ length: 8 }, () => t.me.reset(id, 1)))
      await expectOneReset(t, answers)
      assert.equal(await generationOf(t, id), 2)
    },
  },
  {
    id: 'conversations/resetting-refuses-messages',
    title: 'a resetting conversation refuses messages with 409 BUSY, and accepts them afterwards',
    rules: ['CONV-22'],
    run: async (t) => {
      const { conversation, operationId, early } = await observeDuringStop(async (stopDelayMs) => {
        const { conversation } = await t.startIn('running', { stop_delay_ms: stopDelayMs }, { hang: true })
        const { conversation_id: id } = conversation
        const { operation_id: operationId } = await resetConversation(t, id, 1, 'cancel_and_reset')
        const early = await t.me.send(id, { text: 'too early' })
        return { conversation, operationId, early, over: isComplete((await readOperation(t, operationId)).state) }
      })
      expectRefusal(early, 409, 'BUSY')
      await t.operationEnded(operationId)
      await t.admit({ ...conversation, generation: 2 }, { text: 'now' })
      const texts = (await readHistory(t, conversation.conversation_id)).map(({ content }) => content.text)
      assert.ok(texts.includes('now') && !texts.includes('too early'), 'a message refused with BUSY is in the history')
    },
  },
  {
    id: 'conversations/generation-waits-for-the-operation',
    title: 'the generation is the old one until the operation of the reset has succeeded',
    rules: ['CONV-23'],
    run: async (t) => {
      const { conversation, admission } = await t.startIn('running', { stop_delay_ms: 400 }, { hang: true })
      const { conversation_id: id } = conversation
      const control = expectStatus(await t.me.reset(id, 1, 'cancel_and_reset'), 200, 201, 202).body
      // A gateway may answer only after the stop. Then the operation has correctly succeeded.
      if (control.state === 'succeeded') {
        const { state } = await readRun(t, admission.run_id)
        assert.equal(state, 'cancelled', 'the reset was reported as succeeded before the running run had stopped')
      }
      await t.until(
        'the operation of the reset succeeds',
        async () => {
          const before = await generationOf(t, id)
          const { state, ref } = expectStatus(await t.me.operation(control.operation_id), 200).body
          const after = await generationOf(t, id)
          if (state !== 'succeeded')
            assert.equal(before, 1, `the generation is ${before} while the operation is ${state}`)
          else
            assert.deepEqual(
              [after, ref.generation],
              [2, 2],
              'the operation has succeeded, but the generation is still the old one',
            )
          return state
        },
        (state) => state === 'succeeded',
      )
    },
  },
  {
    id: 'conversations/previous-generation-is-rejected',
    title:
      'after a reset the previous generation is rejected with 409 by message, reset and direct run, without effect',
    rules: ['CONV-24'],
    run: async (t) => {
      const key = t.fresh('order')
      const { conversation_id: id } = await t.conversation({ conversation_key: key })
      await resetNow(t, id, 1)
      await resetNow(t, id, 2)
      for (const generation of [1, 2]) {
        expectRefusal(await t.me.send(id, { text: 'x' }, { generation }), 409, 'GENERATION_CONFLICT')
        for (const policy of ['reject', 'cancel_and_reset'])
          expectRefusal(await t.me.reset(id, generation, policy), 409, 'GENERATION_CONFLICT')
        const run = { conversation_key: key, expected_generation: generation, input: { text: 'x' } }
        expectRefusal(await t.me.createRun(t.config.services.main, run), 409, 'GENERATION_CONFLICT')
      }
      const { generation, messages, runs } = await readSnapshot(t, id)
      assert.deepEqual([generation, messages.length, runs.length], [3, 0, 0])
      expectStatus(await t.me.send(id, { text: 'x' }, { generation: 3 }), 202)
    },
  },
]
