import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { allKeyedOperations, countInputs, perform } from '../../../kit/steps/keyed-operations.ts'
import { isComplete, readOperation } from '../../../kit/steps/operation-paths.ts'
import { expectFirst, expectReplay, REPLAYED } from '../../../kit/steps/replays.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

/** Sends a message. Returns its answer and a function that repeats the request. */
async function sent(t: ServerContext, conversationId: string, generation = 1) {
  const key = t.fresh()
  const send = () => t.me.send(conversationId, { text: 'once' }, { key, generation })
  const first = expectStatus(await send(), 202)
  return { first, again: send }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'idempotency/replay-of-an-ended-message',
    title:
      'the repeat of a message whose run has ended is answered with the same admission, whose state may still be queued',
    rules: ['IDEM-09'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const { first, again } = await sent(t, id)
      await t.runEnded(first.body.run_id)
      const { body } = expectStatus(await again(), 202)
      for (const member of ['run_id', 'message_id', 'conversation_id', 'event_cursor', 'generation'] as const)
        assert.equal(
          body[member],
          first.body[member],
          `${member} of the repeat is ${body[member]}, expected ${first.body[member]}`,
        )
      assert.equal(await countInputs(t.me, id), 1, 'the repeat was executed again')
      t.note(`the repeat has the state ${body.state}`)
    },
  },
  {
    id: 'idempotency/replay-answers-the-same',
    title: 'each operation answers a repeat with the first status and body and Idempotency-Replayed: true',
    rules: ['IDEM-21', 'IDEM-22'],
    run: async (t) => {
      for (const operation of await allKeyedOperations(t)) {
        const key = t.fresh()
        const first = await perform(operation, t.me, { key })
        expectFirst(operation.name, first)
        expectReplay(`${operation.name}, at once`, await perform(operation, t.me, { key }), first)
        await operation.settle(first)
        const before = await operation.observe()
        expectReplay(`${operation.name}, settled`, await perform(operation, t.me, { key }), first)
        expectReplay(`${operation.name}, once more`, await perform(operation, t.me, { key }), first)
        assert.deepEqual(await operation.observe(), before, `${operation.name}: a repeat was executed again`)
      }
    },
  },
  {
    id: 'idempotency/refusal-is-no-replay',
    title: 'a refusal never has Idempotency-Replayed, even when repeated',
    rules: ['IDEM-22'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const key = t.fresh()
      for (let time = 0; time < 2; time += 1) {
        const refused = expectRefusal(await t.me.send(id, { text: 'x' }, { key, generation: 2 }), 409)
        assert.equal(refused.headers[REPLAYED], undefined, 'a refusal has Idempotency-Replayed')
      }
      expectFirst('the message after refusals', await t.me.send(id, { text: 'x' }, { key }))
    },
  },
  {
    id: 'idempotency/replay-in-the-next-generation',
    title: 'a message and a reset of an earlier generation are replayed after the reset',
    rules: ['IDEM-21'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const { first, again } = await sent(t, id)
      await t.runEnded(first.body.run_id)
      const key = t.fresh()
      const reset = expectStatus(await t.me.reset(id, 1, 'reject', { key }), 200, 201, 202)
      await t.operationEnded(reset.body.operation_id)
      expectReplay('a message of the previous generation', await again(), first)
      expectReplay('the reset', await t.me.reset(id, 1, 'reject', { key }), reset)
      const { generation } = await readSnapshot(t, id)
      assert.equal(generation, 2, `the generation is ${generation} after a reset and its repeat, expected 2`)
      expectRefusal(await t.me.send(id, { text: 'once' }), 409, 'GENERATION_CONFLICT')
    },
  },
  {
    id: 'idempotency/replay-while-resetting',
    title: 'an admitted message is replayed while its queue is full and while its conversation is resetting',
    rules: ['IDEM-21'],
    run: async (t) => {
      const key = t.fresh()
      const { reset, repeat, busy } = await observeDuringStop(async (stopDelayMs) => {
        const conversation = await t.conversation()
        const { conversation_id: id } = conversation
        const { first, again } = await sent(t, id)
        await t.runEnded(first.body.run_id)
        const running = await t.admit(conversation, t.script({ stop_delay_ms: stopDelayMs }, { hang: true }))
        await t.runIn(running.run_id, ['running'])
        await Promise.all(Array.from({ length: 20 }, () => t.admit(conversation, { text: 'queued' })))
        expectStatus(await t.me.send(id, { text: 'beyond the limit' }), 429)
        expectReplay('with a full queue', await again(), first)
        const repeat = () => t.me.reset(id, 1, 'cancel_and_reset', { key: `${key}-${stopDelayMs}` })
        const reset = expectStatus(await repeat(), 202)
        const busy = await t.me.send(id, { text: 'x' })
        expectReplay('while resetting', await again(), first)
        expectReplay('the reset in progress', await repeat(), reset)
        return { reset, repeat, busy, over: isComplete((await readOperation(t, reset.body.operation_id)).state) }
      })
      expectRefusal(busy, 409, 'BUSY')
      await t.operationEnded(reset.body.operation_id)
      expectReplay('after the reset', await repeat(), reset)
    },
  },
]
