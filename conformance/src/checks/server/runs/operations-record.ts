import assert from 'node:assert/strict'
import type { Control } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { isComplete, readOperation } from '../../../kit/steps/operation-paths.ts'
import { unknownId } from '../../../kit/steps/records.ts'
import { completeReset, resetConversation } from '../../../kit/steps/resets.ts'
import { readRun } from '../../../kit/steps/runs.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

/** Cancels runs and resets conversations in each state. Returns each operation with its conversation. */
async function controlEach(t: ServerContext): Promise<{ conversationId: string; control: Control; what: string }[]> {
  const { conversation, admission } = await t.startIn('running', { hang: true })
  const { conversation_id: id } = conversation
  const queued = await t.admit(conversation, t.script({ succeed: {} }))
  const ended = await t.start({ succeed: {} })
  await t.runEnded(ended.admission.run_id)
  const resetting = await t.startIn('running', { hang: true })
  const idle = await t.conversation()
  const cancel = async (runId: string) => expectStatus(await t.me.cancel(runId), 202).body
  return [
    { what: 'cancel of a queued run', conversationId: id, control: await cancel(queued.run_id) },
    { what: 'cancel of an executing run', conversationId: id, control: await cancel(admission.run_id) },
    {
      what: 'cancel of an ended run',
      conversationId: ended.conversation.conversation_id,
      control: await cancel(ended.admission.run_id),
    },
    {
      what: 'reset of an idle conversation',
      conversationId: idle.conversation_id,
      control: await resetConversation(t, idle.conversation_id, 1),
    },
    {
      what: 'reset that cancels',
      conversationId: resetting.conversation.conversation_id,
      control: await resetConversation(t, resetting.conversation.conversation_id, 1, 'cancel_and_reset'),
    },
  ]
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'operations/record-of-every-control',
    title: 'every cancel and every reset has its own operation, which is readable by ID and reaches a final state',
    rules: ['OPER-01', 'OPER-03', 'OPER-05', 'OPER-06', 'OPER-07'],
    run: async (t) => {
      const controls = await controlEach(t)
      const ids = new Set(controls.map(({ control }) => control.operation_id))
      assert.equal(ids.size, controls.length, `${controls.length} cancels and resets created ${ids.size} operations`)
      for (const { what, conversationId, control } of controls) {
        const { operation_id: id } = control
        const operation = await readOperation(t, id)
        assert.equal(operation.operation_id, id, what)
        const states = ['pending', 'waiting_device', 'stopping', 'succeeded', 'failed']
        for (const state of [control.state, operation.state])
          assert.ok(states.includes(state), `${what}: the state ${state} is not one of ${states.join(', ')}`)
        for (const { ref } of [control, operation]) {
          assert.equal(
            ref.conversation_id,
            conversationId,
            `${what}: ref names ${ref.conversation_id}, expected ${conversationId}`,
          )
          assert.ok(Number.isInteger(ref.generation) && ref.generation >= 1, `${what}: generation ${ref.generation}`)
        }
        // An implementation may also report failed if there was nothing left to cancel.
        const { state: end } = await t.operationEnded(id)
        if (t.profile === 'reference' || what !== 'cancel of an ended run') assert.equal(end, 'succeeded', what)
      }
      const [first] = ids
      expectRefusal(await t.me.operation(unknownId(String(first))), 404)
    },
  },
  {
    id: 'operations/usual-answer',
    title: 'cancel and reset are answered with stopping or succeeded',
    rules: ['OPER-12'],
    run: async (t) => {
      for (const { what, control } of await controlEach(t))
        assert.ok(
          ['stopping', 'succeeded'].includes(control.state),
          `${what} is answered with ${control.state}, expected stopping or succeeded`,
        )
    },
  },
  {
    id: 'operations/generation-of-a-reset',
    title: 'the operation of a succeeded reset has the new generation, and later resets do not change it',
    rules: ['OPER-08'],
    run: async (t) => {
      const { conversation } = await t.startIn('running', { hang: true })
      const { conversation_id: id } = conversation
      const operations = [
        await completeReset(t, id, 1, 'cancel_and_reset'),
        await completeReset(t, id, 2),
        await completeReset(t, id, 3, 'reject'),
      ]
      for (const [at, { operation_id, ref }] of operations.entries()) {
        assert.equal(ref.generation, at + 2, `reset ${at + 1} has the generation ${ref.generation}, expected ${at + 2}`)
        assert.equal(
          (await readOperation(t, operation_id)).ref.generation,
          at + 2,
          'a later reset changed the generation of the operation',
        )
      }
    },
  },
  {
    id: 'operations/incomplete-until-done',
    title: 'an operation succeeds only after the run has ended (cancel) or the generation has advanced (reset)',
    rules: ['OPER-09', 'OPER-10'],
    run: async (t) => {
      for (const kind of ['cancel', 'reset'] as const) {
        const { id, runId, operationId } = await observeDuringStop(async (stopDelayMs) => {
          const { conversation, admission } = await t.startIn('running', { stop_delay_ms: stopDelayMs }, { hang: true })
          const { conversation_id: id } = conversation
          const askedAt = performance.now()
          const control =
            kind === 'cancel'
              ? expectStatus(await t.me.cancel(admission.run_id), 202).body
              : await resetConversation(t, id, 1, 'cancel_and_reset')
          const { state } = await readOperation(t, control.operation_id)
          const over = performance.now() - askedAt >= stopDelayMs
          if (!over)
            for (const reported of [control.state, state])
              assert.ok(!isComplete(reported), `a ${kind} is ${reported} before the stop can have been confirmed`)
          return { over, id, runId: admission.run_id, operationId: control.operation_id }
        })
        // Read the operation first: if it has succeeded, the records that are read later must show the change.
        await t.until(
          `the ${kind} has succeeded`,
          async () => {
            const { state } = await readOperation(t, operationId)
            const run = await readRun(t, runId)
            const { generation } = await readSnapshot(t, id)
            if (state === 'succeeded') {
              assert.equal(run.state, 'cancelled', `the ${kind} has succeeded, but its run is ${run.state}`)
              assert.equal(
                generation,
                kind === 'reset' ? 2 : 1,
                `the ${kind} has succeeded, but the generation is ${generation}`,
              )
            }
            return state
          },
          (state) => state === 'succeeded',
        )
      }
    },
  },
]
