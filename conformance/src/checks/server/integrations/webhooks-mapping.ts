import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, subjectOf } from '../../../kit/server/webhook-sender.ts'
import { accept, conversationsOfOthers, inputsOf } from '../../../kit/steps/webhooks.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/null-counts-as-absent',
    title: 'null at a mapped path, or in place of an object on that path, is treated as absent',
    rules: ['HOOK-59'],
    needs: ['webhooks.new', 'webhooks.messageByKey', 'webhooks.deepPaths'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const { conversation_id } = await accept(t, integration, eventOf({ text: 'x', data: null, resource_ids: null }))
      const [input] = await inputsOf(t, integration, conversation_id)
      assert.equal(input?.content.text, 'x')
      assert.deepEqual([input.content.data ?? null, input.content.resource_ids ?? []], [null, []])
      await accept(t, integration, eventOf({ text: null, data: { a: 1 } }))
      expectRefusal(await deliver(t, integration, eventOf({ text: null, data: null, resource_ids: null })), 400)
      const byKey = integrationOf(t, 'messageByKey')
      expectRefusal(await deliver(t, byKey, eventOf({ text: 'x', key: null })), 400, 'INVALID_REQUEST')
      const deep = { t: 'conformance.event', k: t.fresh('order') }
      for (const a of [null, { b: null }, { b: { c: { d: null } } }, { b: { c: { d: { e: null } } } }])
        expectRefusal(await deliver(t, integrationOf(t, 'deepPaths'), { ...deep, a }), 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'webhooks/wrong-types-are-refused',
    title: 'a value of a wrong type at a mapped path, except null, answers 400 INVALID_REQUEST; values are not coerced',
    rules: ['HOOK-60'],
    needs: ['webhooks.messageByKey', 'webhooks.messageById', 'webhooks.resetReject', 'webhooks.cancel'],
    run: async (t) => {
      const texts = [7, true, false, 0, [], ['x'], {}]
      const cases = [
        ['messageByKey', 'event.text', texts, (text: unknown) => ({ text, key: 'k' })],
        ['messageByKey', 'event.data', ['{}', 7, true, [], [{}]], (data: unknown) => ({ text: 'x', data, key: 'k' })],
        ['messageByKey', 'event.resources', ['res_1', 7, true, {}], (r: unknown) => ({ resource_ids: r, key: 'k' })],
        ['messageByKey', 'conversation.key', texts, (key: unknown) => ({ text: 'x', key })],
        ['messageById', 'conversation.id', texts, (id: unknown) => ({ text: 'x', conversationId: id, generation: 1 })],
        ['resetReject', 'conversation.id', texts, (id: unknown) => ({ conversationId: id, generation: 1 })],
        ['cancel', 'run.id', texts, (runId: unknown) => ({ runId })],
      ] as const
      for (const [name, place, values, parts] of cases)
        for (const value of values) {
          t.note(`${JSON.stringify(value)} at ${place}`)
          expectRefusal(await deliver(t, integrationOf(t, name), eventOf(parts(value))), 400, 'INVALID_REQUEST')
        }
    },
  },
  {
    id: 'webhooks/generation-type',
    title: 'a generation that is not an integer answers 400 INVALID_REQUEST, and one that cannot be current 400 or 409',
    rules: ['HOOK-60'],
    needs: ['webhooks.messageById', 'webhooks.resetReject'],
    run: async (t) => {
      for (const name of ['messageById', 'resetReject'] as const) {
        const integration = integrationOf(t, name)
        const { conversation_id: conversationId } = await t.conversation({}, subjectOf(t, integration))
        const ask = (generation: unknown) => deliver(t, integration, eventOf({ text: 'x', conversationId, generation }))
        for (const generation of ['1', 1.5, true, [1], {}]) expectRefusal(await ask(generation), 400, 'INVALID_REQUEST')
        for (const generation of [0, -1]) expectStatus(await ask(generation), 400, 409)
      }
    },
  },
  {
    id: 'webhooks/message-by-key-finds-or-creates',
    title: 'the action message by key creates a conversation for the first event of a key and continues it afterwards',
    rules: ['HOOK-63'],
    needs: ['webhooks.messageByKey'],
    run: async (t) => {
      const integration = integrationOf(t, 'messageByKey')
      const key = t.fresh('order')
      const bodies = await Promise.all(
        ['one', 'two', 'three', 'four'].map((text) => accept(t, integration, eventOf({ text, key }))),
      )
      const ids = new Set(bodies.map(({ conversation_id }) => conversation_id))
      assert.equal(ids.size, 1, 'simultaneous first events of a key must create one conversation')
      const other = await accept(t, integration, eventOf({ text: 'x', key: `${key}-other` }))
      assert.ok(!ids.has(other.conversation_id))
      assert.equal((await inputsOf(t, integration, bodies[0]?.conversation_id ?? '')).length, 4)
    },
  },
  {
    id: 'webhooks/stale-generation-code',
    title: 'a generation that is not current answers 409 GENERATION_CONFLICT',
    rules: ['HOOK-64'],
    needs: ['webhooks.messageById'],
    run: async (t) => {
      const integration = integrationOf(t, 'messageById')
      const { conversation_id: conversationId } = await t.conversation({}, subjectOf(t, integration))
      for (const generation of [2, 3, 9_007_199_254_740_991]) {
        const event = eventOf({ text: 'x', conversationId, generation })
        expectRefusal(await deliver(t, integration, event), 409, 'GENERATION_CONFLICT')
      }
      await accept(t, integration, eventOf({ text: 'x', conversationId, generation: 1 }))
    },
  },
  {
    id: 'webhooks/controls-answer-with-their-operation',
    title: 'reset and cancel answer 202 with the control response of their operation',
    rules: ['HOOK-65'],
    needs: ['webhooks.resetCancel', 'webhooks.cancel'],
    run: async (t) => {
      const cancels = integrationOf(t, 'cancel')
      const owner = subjectOf(t, cancels)
      const conversation = await t.conversation({}, owner)
      const { conversation_id: conversationId } = conversation
      const { run_id: runId } = await t.admit(conversation, t.script({ hang: true }), owner)
      const cancelled = await accept(t, cancels, eventOf({ runId }))
      assert.equal(cancelled.ref.conversation_id, conversationId)
      assert.equal((await t.operationEnded(cancelled.operation_id, owner)).state, 'succeeded')
      const reset = await accept(t, integrationOf(t, 'resetCancel'), eventOf({ conversationId, generation: 1 }))
      assert.equal(reset.ref.conversation_id, conversationId)
      assert.equal((await t.operationEnded(reset.operation_id, owner)).ref.generation, 2)
    },
  },
  {
    id: 'webhooks/cancel-of-others-is-unknown',
    title: 'cancel of a run of another service, subject or application answers 404',
    rules: ['HOOK-66'],
    tags: ['security'],
    needs: ['webhooks.cancel', 'services.sameDevice'],
    run: async (t) => {
      const integration = integrationOf(t, 'cancel')
      for (const { by, conversation } of await conversationsOfOthers(t, integration)) {
        const { run_id: runId } = await t.admit(conversation, t.script({ hang: true }), by)
        expectRefusal(await deliver(t, integration, eventOf({ runId })), 404, 'NOT_FOUND')
        expectStatus(await by.run(runId), 200)
      }
    },
  },
]
