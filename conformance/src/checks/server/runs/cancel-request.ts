import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { completeWorkElsewhere, expectRunEnd, expectRunState } from '../../../kit/steps/runs.ts'

/** A run that executes and one that is queued behind it. */
async function startTwo(t: ServerContext) {
  const { conversation, admission } = await t.startIn('running', { hang: true })
  const queued = await t.admit(conversation, t.script({ succeed: { text: 'done' } }))
  return { id: conversation.conversation_id, executing: admission.run_id, queued: queued.run_id }
}

async function expectUntouched(t: ServerContext, { executing, queued }: { executing: string; queued: string }) {
  await completeWorkElsewhere(t)
  await expectRunState(t, executing, 'running', 'a refused cancel has stopped the run')
  await expectRunState(t, queued, 'queued', 'a refused cancel has taken the run from the queue')
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'cancel/takes-the-empty-object',
    title: 'a cancel accepts {} as its body; any other body is refused and stops nothing',
    rules: ['CANCEL-01'],
    run: async (t) => {
      const runs = await startTwo(t)
      const post = (runId: string, body: string) => t.me.postText(`/runs/${runId}/cancel`, body)
      for (const runId of [runs.executing, runs.queued]) {
        for (const body of ['[]', 'null', '""', '"x"', '1', 'true', '[{}]', '{', '{}{}', '{"a":}'])
          expectRefusal(await post(runId, body), 400, 'INVALID_REQUEST')
        for (const name of ['reason', 'force', 'generation', 'conversation_id', 'run_id', 'busy_policy', ''])
          expectRefusal(await post(runId, JSON.stringify({ [name]: 'x' })), 400, 'UNKNOWN_FIELD')
      }
      await expectUntouched(t, runs)
      expectStatus(await post(runs.queued, '{}'), 202)
      expectStatus(await post(runs.executing, ' { } '), 202)
      await expectRunEnd(t, runs.executing, 'cancelled')
      await expectRunEnd(t, runs.queued, 'cancelled')
    },
  },
  {
    id: 'cancel/no-expected-generation',
    title: 'a cancel with expected_generation is refused, even with the correct one, and stops nothing',
    rules: ['CANCEL-03'],
    run: async (t) => {
      const runs = await startTwo(t)
      for (const runId of [runs.executing, runs.queued])
        for (const generation of [1, 2, '1', null])
          expectRefusal(
            await t.me.post(`/runs/${runId}/cancel`, { expected_generation: generation }),
            400,
            'UNKNOWN_FIELD',
          )
      await expectUntouched(t, runs)
      const ended = await t.start({ succeed: {} })
      await t.runEnded(ended.admission.run_id)
      const late = await t.me.post(`/runs/${ended.admission.run_id}/cancel`, { expected_generation: 1 })
      expectRefusal(late, 400, 'UNKNOWN_FIELD')
    },
  },
  {
    id: 'cancel/control-response',
    title:
      'cancelling a queued, executing or ended run returns 202 with a new operation and the conversation of the run',
    rules: ['CANCEL-04'],
    run: async (t) => {
      const { id, executing, queued } = await startTwo(t)
      const ended = await t.start({ succeed: {} })
      await t.runEnded(ended.admission.run_id)
      await completeReset(t, ended.conversation.conversation_id, 1)
      const operations = new Set<string>()
      for (const [runId, conversationId] of [
        [queued, id],
        [executing, id],
        [ended.admission.run_id, ended.conversation.conversation_id],
      ] as const) {
        const { body } = expectStatus(await t.me.cancel(runId), 202)
        for (const member of ['operation_id', 'ref', 'state'])
          assert.ok(member in body, `the answer to the cancel has no ${member}`)
        assert.equal(
          body.ref.conversation_id,
          conversationId,
          `ref names ${body.ref.conversation_id}, expected ${conversationId}, the conversation of the run`,
        )
        if (conversationId === id) assert.equal(body.ref.generation, 1)
        operations.add(body.operation_id)
      }
      assert.equal(operations.size, 3, `3 cancels created ${operations.size} operations`)
      const later = await t.me.send(ended.conversation.conversation_id, t.script({ hang: true }), { generation: 2 })
      assert.equal((await t.me.cancel(later.body.run_id)).body.ref.generation, 2, 'ref names another generation')
    },
  },
  {
    id: 'cancel/replay-of-a-lost-answer',
    title: 'a cancel repeated under its key returns the same operation, concurrently and after the end of the run',
    rules: ['CANCEL-05'],
    tags: ['race'],
    run: async (t) => {
      const { executing, queued } = await startTwo(t)
      for (const runId of [queued, executing]) {
        const key = t.fresh('lost')
        const together = await Promise.all([1, 2, 3, 4, 5].map(() => t.me.cancel(runId, { key })))
        const [first] = together
        for (const answer of together) {
          expectStatus(answer, 202)
          assert.equal(
            answer.body.operation_id,
            first?.body.operation_id,
            'concurrent cancels with one key returned different operations',
          )
        }
        const operationId = first?.body.operation_id ?? ''
        await t.operationEnded(operationId)
        await t.runEnded(runId)
        const late = expectStatus(await t.me.cancel(runId, { key }), 202)
        assert.equal(
          late.body.operation_id,
          operationId,
          'a cancel repeated after the run has ended returned another operation',
        )
      }
    },
  },
]
