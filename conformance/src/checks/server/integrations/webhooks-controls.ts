import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, subjectOf } from '../../../kit/server/webhook-sender.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { admitHanging } from '../../../kit/steps/runs.ts'
import { accept, conversationsOfOthers, inputsOf, operationIdIn } from '../../../kit/steps/webhooks.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/message-by-id-generation',
    title: 'the action message by ID continues the conversation at its current generation, and at no other',
    rules: ['HOOK-13', 'HOOK-21', 'HOOK-22', 'HOOK-42'],
    needs: ['webhooks.messageById'],
    run: async (t) => {
      const integration = integrationOf(t, 'messageById')
      const owner = subjectOf(t, integration)
      const { conversation_id: conversationId } = await t.conversation({}, owner)
      const event = (generation: unknown) => eventOf({ text: `in ${generation}`, conversationId, generation })
      expectRefusal(await deliver(t, integration, event(2)), 409)
      assert.equal((await accept(t, integration, event(1))).conversation_id, conversationId)
      await completeReset(t, conversationId, 1, 'cancel_and_reset', owner)
      for (const generation of [1, 3]) expectRefusal(await deliver(t, integration, event(generation)), 409)
      const body = await accept(t, integration, event(2))
      assert.deepEqual([body.conversation_id, body.generation], [conversationId, 2])
      const inputs = await inputsOf(t, integration, conversationId)
      assert.deepEqual(inputs.map(({ content }) => content.text).sort(), ['in 1', 'in 2'])
    },
  },
  {
    id: 'webhooks/message-by-id-wants-both',
    title: 'the action message by ID refuses an event that lacks the conversation ID or the generation',
    rules: ['HOOK-21', 'HOOK-43'],
    needs: ['webhooks.messageById'],
    run: async (t) => {
      const integration = integrationOf(t, 'messageById')
      const { conversation_id: conversationId } = await t.conversation({}, subjectOf(t, integration))
      const text = 'hello'
      for (const generation of [undefined, '1', 1.5, true, [1], { n: 1 }])
        expectRefusal(await deliver(t, integration, eventOf({ text, conversationId, generation })), 400)
      for (const id of [undefined, 7, true, [conversationId], { id: conversationId }])
        expectRefusal(await deliver(t, integration, eventOf({ text, conversationId: id, generation: 1 })), 400)
      assert.equal(
        (await inputsOf(t, integration, conversationId)).length,
        0,
        'a refused event must not admit a message',
      )
    },
  },
  {
    id: 'webhooks/message-by-id-of-others',
    title: 'the action message by ID does not reach conversations of another subject, application or service',
    rules: ['HOOK-05', 'HOOK-08', 'HOOK-13'],
    tags: ['security'],
    needs: ['webhooks.messageById', 'services.sameDevice'],
    run: async (t) => {
      const integration = integrationOf(t, 'messageById')
      for (const { by, conversation } of await conversationsOfOthers(t, integration)) {
        const conversationId = conversation.conversation_id
        expectStatus(await deliver(t, integration, eventOf({ text: 'x', conversationId, generation: 1 })), 403, 404)
        const history = expectStatus(await by.history(conversationId), 200).body
        assert.equal(history.messages.length, 0, 'a conversation that the integration must not reach has a new message')
      }
      const unknown = eventOf({ text: 'x', conversationId: `conv_${'0'.repeat(32)}`, generation: 1 })
      expectStatus(await deliver(t, integration, unknown), 400, 403, 404)
    },
  },
  {
    id: 'webhooks/reset-stops-then-restarts',
    title:
      'the action reset with the policy to stop ends unfinished work and raises the generation; its operation can be read',
    rules: ['HOOK-09', 'HOOK-23', 'HOOK-24'],
    needs: ['webhooks.resetCancel'],
    run: async (t) => {
      const integration = integrationOf(t, 'resetCancel')
      const owner = subjectOf(t, integration)
      const conversation = await t.conversation({}, owner)
      const { conversation_id: conversationId } = conversation
      const runId = await admitHanging(t, conversation, owner)
      const answer = await accept(t, integration, eventOf({ conversationId, generation: 1 }))
      const operation = await t.operationEnded(operationIdIn(t, answer), owner)
      assert.equal(operation.state, 'succeeded')
      assert.deepEqual(
        [operation.ref.conversation_id, operation.ref.generation],
        [conversationId, 2],
        'the operation must name the conversation and, once it has succeeded, the new generation',
      )
      assert.equal((await t.runEnded(runId, owner)).state, 'cancelled')
      assert.equal(expectStatus(await owner.snapshot(conversationId), 200).body.generation, 2)
    },
  },
  {
    id: 'webhooks/reset-rejects-while-busy',
    title:
      'the action reset with the policy to reject is refused with 409 while work is unfinished, and resets afterwards',
    rules: ['HOOK-23', 'HOOK-24'],
    needs: ['webhooks.resetReject'],
    run: async (t) => {
      const integration = integrationOf(t, 'resetReject')
      const owner = subjectOf(t, integration)
      const conversation = await t.conversation({}, owner)
      const { conversation_id: conversationId } = conversation
      const runId = await admitHanging(t, conversation, owner)
      const event = eventOf({ conversationId, generation: 1 })
      expectRefusal(await deliver(t, integration, event), 409)
      assert.equal(expectStatus(await owner.run(runId), 200).body.state, 'running')
      expectStatus(await owner.cancel(runId), 202)
      await t.runEnded(runId, owner)
      const answer = await accept(t, integration, event)
      assert.equal((await t.operationEnded(operationIdIn(t, answer), owner)).state, 'succeeded')
      assert.equal(expectStatus(await owner.snapshot(conversationId), 200).body.generation, 2)
    },
  },
  {
    id: 'webhooks/reset-wants-current-generation',
    title: 'the action reset is refused with 409 for a generation that is not current, and with 400 without one',
    rules: ['HOOK-23', 'HOOK-42', 'HOOK-43'],
    needs: ['webhooks.resetCancel', 'webhooks.resetReject'],
    run: async (t) => {
      for (const name of ['resetCancel', 'resetReject'] as const) {
        const integration = integrationOf(t, name)
        const owner = subjectOf(t, integration)
        const { conversation_id: conversationId } = await t.conversation({}, owner)
        expectRefusal(await deliver(t, integration, eventOf({ conversationId, generation: 2 })), 409)
        for (const generation of [undefined, '1'])
          expectRefusal(await deliver(t, integration, eventOf({ conversationId, generation })), 400)
        expectRefusal(await deliver(t, integration, eventOf({ generation: 1 })), 400)
        const answer = await accept(t, integration, eventOf({ conversationId, generation: 1 }))
        await t.operationEnded(operationIdIn(t, answer), owner)
        expectRefusal(await deliver(t, integration, eventOf({ conversationId, generation: 1 })), 409)
        assert.equal(expectStatus(await owner.snapshot(conversationId), 200).body.generation, 2)
      }
    },
  },
  {
    id: 'webhooks/reset-of-others',
    title: 'the action reset does not reach conversations of another subject, application or service',
    rules: ['HOOK-05', 'HOOK-08', 'HOOK-23'],
    tags: ['security'],
    needs: ['webhooks.resetCancel', 'services.sameDevice'],
    run: async (t) => {
      const integration = integrationOf(t, 'resetCancel')
      for (const { by, conversation } of await conversationsOfOthers(t, integration)) {
        const { conversation_id: conversationId } = conversation
        expectStatus(await deliver(t, integration, eventOf({ conversationId, generation: 1 })), 403, 404)
        assert.equal(expectStatus(await by.snapshot(conversationId), 200).body.generation, 1)
      }
    },
  },
  {
    id: 'webhooks/cancel-reaches-own-runs-only',
    title: 'the action cancel stops a run of its service and subject, but no run of another service or subject',
    rules: ['HOOK-09', 'HOOK-25'],
    tags: ['security'],
    needs: ['webhooks.cancel', 'services.sameDevice'],
    run: async (t) => {
      const integration = integrationOf(t, 'cancel')
      const owner = subjectOf(t, integration)
      for (const { by, conversation } of await conversationsOfOthers(t, integration)) {
        const runId = await admitHanging(t, conversation, by)
        expectStatus(await deliver(t, integration, eventOf({ runId })), 403, 404)
        assert.equal(expectStatus(await by.run(runId), 200).body.state, 'running')
      }
      const own = await t.conversation({}, owner)
      const runId = await admitHanging(t, own, owner)
      await accept(t, integration, eventOf({ runId }))
      assert.equal((await t.runEnded(runId, owner)).state, 'cancelled')
    },
  },
  {
    id: 'webhooks/cancel-wants-a-run',
    title: 'the action cancel is refused with 400 without a run ID, and is also refused for a run that does not exist',
    rules: ['HOOK-25', 'HOOK-43'],
    needs: ['webhooks.cancel'],
    run: async (t) => {
      const integration = integrationOf(t, 'cancel')
      for (const runId of [undefined, 7, ['run_1'], { id: 'run_1' }])
        expectRefusal(await deliver(t, integration, eventOf({ runId })), 400)
      const unknown = eventOf({ runId: `run_${'0'.repeat(32)}` })
      expectStatus(await deliver(t, integration, unknown), 400, 403, 404)
    },
  },
]
