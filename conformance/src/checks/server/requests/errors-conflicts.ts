import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { expectOperationEnd, isComplete, readOperation } from '../../../kit/steps/operation-paths.ts'
import { completeReset, resetConversation } from '../../../kit/steps/resets.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const countsOf = async (t: ServerContext, id: string): Promise<[number, number]> => {
  const { generation, runs } = await readSnapshot(t, id)
  return [generation, runs.length]
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'errors/stale-generation',
    title:
      'a generation that is not the current one answers 409 GENERATION_CONFLICT to messages, resets and direct runs',
    rules: ['ERR-05'],
    run: async (t) => {
      const key = t.fresh('order')
      const { conversation_id: id } = await t.conversation({ conversation_key: key })
      const input = { text: 'x' }
      for (const generation of [2, 3, 2_147_483_647])
        for (const answer of [
          await t.me.send(id, input, { generation }),
          await t.me.reset(id, generation),
          await t.me.reset(id, generation, 'cancel_and_reset'),
          await t.me.createRun(t.config.services.main, {
            input,
            conversation_key: key,
            expected_generation: generation,
          }),
        ])
          expectRefusal(answer, 409, 'GENERATION_CONFLICT')
      assert.deepEqual(await countsOf(t, id), [1, 0], 'a refused request changed the conversation')
    },
  },
  {
    id: 'errors/previous-generation',
    title:
      'once a reset has succeeded the previous generation answers 409 GENERATION_CONFLICT, and the new one is accepted',
    rules: ['ERR-06'],
    run: async (t) => {
      const key = t.fresh('order')
      const conversation = await t.conversation({ conversation_key: key })
      const { conversation_id: id } = conversation
      for (const generation of [1, 2]) {
        await completeReset(t, id, generation)
        const direct = (expected: number) =>
          t.me.createRun(t.config.services.main, {
            ...{ input: { text: 'x' }, conversation_key: key },
            expected_generation: expected,
          })
        const refused = [
          await t.me.send(id, { text: 'x' }, { generation }),
          await t.me.reset(id, generation),
          await direct(generation),
        ]
        for (const answer of refused) expectRefusal(answer, 409, 'GENERATION_CONFLICT')
        assert.deepEqual(await countsOf(t, id), [generation + 1, 0])
      }
      await runToEnd(t, { ...conversation, generation: 3 }, t.script({ succeed: { text: 'x' } }))
    },
  },
  {
    id: 'errors/duplicate-business-key',
    title: 'of many simultaneous creations with one business key one succeeds, and the others answer 409 BUSY',
    rules: ['ERR-08'],
    tags: ['race'],
    run: async (t) => {
      const key = t.fresh('order')
      const create = (more = {}) =>
        t.me.createConversation({ endpoint_id: t.config.services.main, conversation_key: key, ...more })
      const answers = await Promise.all(Array.from({ length: 8 }, () => create()))
      const created = answers.filter(({ status }) => status === 201).length
      assert.equal(created, 1, `8 simultaneous creations with one business key made ${created} conversations`)
      for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, 409, 'BUSY')
      expectRefusal(await create(), 409, 'BUSY')
      expectStatus(await create({ conversation_key: `${key}x` }), 201)
      expectStatus(await create({ conversation_key: key.toUpperCase() }), 201)
    },
  },
  {
    id: 'errors/resetting-is-busy',
    title: 'a message to a conversation that is resetting answers 409 BUSY, and is accepted after the reset',
    rules: ['ERR-09'],
    run: async (t) => {
      const { conversation, answers, operationId } = await observeDuringStop(async (stopDelayMs) => {
        const { conversation } = await t.startIn('running', { stop_delay_ms: stopDelayMs }, { hang: true })
        const { operation_id: operationId } = await resetConversation(
          t,
          conversation.conversation_id,
          1,
          'cancel_and_reset',
        )
        const answers = [1, 2].map(() => t.me.send(conversation.conversation_id, { text: 'x' }))
        const seen = { conversation, operationId, answers: await Promise.all(answers) }
        return { ...seen, over: isComplete((await readOperation(t, operationId)).state) }
      })
      for (const answer of answers) expectRefusal(answer, 409, 'BUSY')
      await expectOperationEnd(t, operationId, 'succeeded')
      const { runs } = await readSnapshot(t, conversation.conversation_id)
      assert.ok(
        runs.length <= 1,
        `a refused message left a run: the conversation has ${runs.length} runs, expected at most 1`,
      )
      await t.admit({ ...conversation, generation: 2 }, t.script({ succeed: { text: 'x' } }))
    },
  },
  {
    id: 'errors/reset-while-unfinished',
    title: 'a reset that rejects unfinished work, explicitly or by default, answers 409 BUSY while any exists',
    rules: ['ERR-10'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ approval: 'May I?' }, { hang: true })
      const { conversation_id: id } = conversation
      const queued = await t.admit(conversation, t.script({ succeed: { text: 'later' } }))
      const expectBusy = async () => {
        for (const policy of ['reject', undefined]) expectRefusal(await t.me.reset(id, 1, policy), 409, 'BUSY')
      }
      await expectBusy()
      await t.runIn(admission.run_id, ['waiting_approval'])
      await expectBusy()
      await t.me.cancel(queued.run_id)
      await expectBusy()
      assert.equal((await countsOf(t, id))[0], 1)
      await t.me.cancel(admission.run_id)
      await Promise.all([admission, queued].map(({ run_id }) => t.runEnded(run_id)))
      await completeReset(t, id, 1, 'reject')
    },
  },
  {
    id: 'errors/one-key-two-contents',
    title:
      'one Idempotency-Key with other content answers 409 IDEMPOTENCY_CONFLICT to a creation, message, cancel or reset',
    rules: ['ERR-11'],
    run: async (t) => {
      const { main } = t.config.services
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const keys = { create: t.fresh(), send: t.fresh(), cancel: t.fresh(), reset: t.fresh() }
      expectStatus(await t.me.createConversation({ endpoint_id: main }, { key: keys.create }), 201)
      const changed = { endpoint_id: main, conversation_key: t.fresh() }
      expectRefusal(await t.me.createConversation(changed, { key: keys.create }), 409, 'IDEMPOTENCY_CONFLICT')

      const first = expectStatus(await t.me.send(id, { text: 'one' }, { key: keys.send }), 202).body
      expectRefusal(await t.me.send(id, { text: 'two' }, { key: keys.send }), 409, 'IDEMPOTENCY_CONFLICT')
      const second = await t.admit(conversation, { text: 'two' })
      await Promise.all([first, second].map(({ run_id }) => t.runEnded(run_id)))
      assert.deepEqual(await countsOf(t, id), [1, 2])

      expectStatus(await t.me.cancel(first.run_id, { key: keys.cancel }), 202)
      // Cancels have no content to change; D-11 decides that the run in the path is treated as content.
      if (t.profile === 'reference')
        expectRefusal(await t.me.cancel(second.run_id, { key: keys.cancel }), 409, 'IDEMPOTENCY_CONFLICT')

      expectStatus(await t.me.reset(id, 1, 'reject', { key: keys.reset }), 200, 201, 202)
      const other = await t.me.reset(id, 1, 'cancel_and_reset', { key: keys.reset })
      expectRefusal(other, 409, 'IDEMPOTENCY_CONFLICT')
    },
  },
]
