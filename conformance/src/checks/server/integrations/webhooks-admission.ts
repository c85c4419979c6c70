import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, subjectOf } from '../../../kit/server/webhook-sender.ts'
import { findRecord } from '../../../kit/steps/conversations.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { accept, hanging, inputsOf } from '../../../kit/steps/webhooks.ts'

const createKeyed = async (t: ServerContext, conversationKey?: string) => {
  const integration = integrationOf(t, 'messageByKey')
  const key = conversationKey ?? t.fresh('order')
  const conversation = await t.conversation({ conversation_key: key }, subjectOf(t, integration))
  return { integration, key, conversation }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/admission-identifiers',
    title: 'an accepted event that creates a run answers 202 with the IDs of what it created, without any bearer key',
    rules: ['HOOK-03', 'HOOK-04', 'HOOK-10', 'HOOK-28', 'HOOK-45'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const text = t.fresh('question')
      const body = await accept(t, integration, eventOf({ text }))
      assert.equal(body.generation, 1)
      const reader = subjectOf(t, integration)
      const run = expectStatus(await reader.run(body.run_id), 200).body
      assert.equal(run.conversation_id, body.conversation_id)
      assert.equal(run.message_id, body.message_id)
      const inputs = await inputsOf(t, integration, body.conversation_id)
      assert.deepEqual(
        inputs.map(({ message_id, content }) => [message_id, content.text]),
        [[body.message_id, text]],
        'the conversation must contain one submitted message, with the text of the configured field',
      )
    },
  },
  {
    id: 'webhooks/bearer-key-is-no-signature',
    title: 'a bearer key neither replaces the signature nor is needed in addition',
    rules: ['HOOK-03', 'HOOK-38', 'HOOK-45'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const bearer = { authorization: `Bearer ${t.me.apiKey}`, 'x-service-subject': integration.subject }
      const unsigned = { 'webhook-id': null, 'webhook-timestamp': null, 'webhook-signature': null }
      const event = eventOf({ text: 'hello' })
      expectRefusal(await deliver(t, integration, event, { headers: { ...bearer, ...unsigned } }), 401)
      expectRefusal(await deliver(t, integration, event, { headers: bearer, secret: 'whsec_wrong' }), 401)
      const wrongKey = { authorization: 'Bearer gk_nobody_nothing' }
      expectStatus(await deliver(t, integration, event, { headers: wrongKey }), 202)
    },
  },
  {
    id: 'webhooks/new-creates-each-time',
    title: 'the action new creates a new conversation for each event, even for equal ones',
    rules: ['HOOK-09', 'HOOK-18'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const event = eventOf({ text: t.fresh('same'), data: { n: 1 }, key: t.fresh('order') })
      const bodies = await Promise.all([1, 2, 3].map(() => accept(t, integration, event)))
      assert.equal(new Set(bodies.map(({ conversation_id }) => conversation_id)).size, 3)
      assert.deepEqual(
        bodies.map(({ generation }) => generation),
        [1, 1, 1],
      )
      for (const { conversation_id } of bodies)
        assert.equal((await inputsOf(t, integration, conversation_id)).length, 1)
    },
  },
  {
    id: 'webhooks/new-binds-nothing',
    title: 'the action new ignores a business key and a conversation ID in the body',
    rules: ['HOOK-19'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const owner = subjectOf(t, integration)
      const key = t.fresh('order')
      const existing = await t.conversation({ conversation_key: key }, owner)
      const event = {
        ...eventOf({ text: 'hello', key, conversationId: existing.conversation_id, generation: 1 }),
        conversation_key: key,
        conversation_id: existing.conversation_id,
      }
      const body = await accept(t, integration, event)
      assert.notEqual(body.conversation_id, existing.conversation_id)
      assert.equal((await inputsOf(t, integration, existing.conversation_id)).length, 0)
      const unused = t.fresh('order')
      await accept(t, integration, eventOf({ text: 'hello', key: unused }))
      const created = await owner.createConversation({ endpoint_id: t.config.services.main, conversation_key: unused })
      expectStatus(created, 201)
    },
  },
  {
    id: 'webhooks/message-by-key-continues',
    title: 'the action message by key continues the conversation that has exactly this business key',
    rules: ['HOOK-09', 'HOOK-13', 'HOOK-14', 'HOOK-20'],
    needs: ['webhooks.messageByKey'],
    run: async (t) => {
      const suffix = t.fresh('Order')
      const { integration, key, conversation } = await createKeyed(t, suffix)
      const withOtherKeys = await Promise.all(
        [suffix.toLowerCase(), `${suffix}1`, suffix.slice(0, -1)].map((other) => createKeyed(t, other)),
      )
      const texts = [t.fresh('first'), t.fresh('second')]
      for (const text of texts) {
        const body = await accept(t, integration, eventOf({ ...t.script({ succeed: {} }), text, key }))
        assert.equal(body.conversation_id, conversation.conversation_id)
        await t.runEnded(body.run_id, subjectOf(t, integration))
      }
      const inputs = await inputsOf(t, integration, conversation.conversation_id)
      assert.deepEqual(inputs.map(({ content }) => content.text).sort(), [...texts].sort())
      for (const other of withOtherKeys)
        assert.equal((await inputsOf(t, integration, other.conversation.conversation_id)).length, 0)
    },
  },
  {
    id: 'webhooks/message-by-key-current-generation',
    title: 'the action message by key works in the current generation of a conversation that was reset',
    rules: ['HOOK-20'],
    needs: ['webhooks.messageByKey'],
    run: async (t) => {
      const { integration, key, conversation } = await createKeyed(t)
      await completeReset(t, conversation.conversation_id, 1, 'reject', subjectOf(t, integration))
      const body = await accept(t, integration, eventOf({ text: 'hello', key }))
      assert.deepEqual([body.conversation_id, body.generation], [conversation.conversation_id, 2])
    },
  },
  {
    id: 'webhooks/key-of-others',
    title: 'a business key used by other subjects, applications or services does not reach their conversations',
    rules: ['HOOK-05', 'HOOK-20'],
    tags: ['security'],
    needs: ['webhooks.messageByKey', 'services.sameDevice'],
    run: async (t) => {
      const { integration, key, conversation } = await createKeyed(t)
      const { main, sameDevice = main, foreign } = t.config.services
      const otherApp = t.caller({ app: 'second', subject: integration.subject })
      await t.conversation({ conversation_key: key })
      await t.conversation({ conversation_key: key, endpoint_id: sameDevice }, subjectOf(t, integration))
      await t.conversation({ conversation_key: key, endpoint_id: foreign }, otherApp)
      const body = await accept(t, integration, eventOf({ text: 'hello', key }))
      assert.equal(body.conversation_id, conversation.conversation_id)
    },
  },
  {
    id: 'webhooks/service-of-configuration',
    title: 'the configured service handles the event, even if the body names another',
    rules: ['HOOK-05'],
    needs: ['webhooks.new', 'services.sameDevice'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const { main, sameDevice } = t.config.services
      const event = { ...eventOf({ text: 'hello' }), endpoint_id: sameDevice, service: sameDevice }
      const body = await accept(t, integration, event)
      const record = await findRecord(t, body.conversation_id, { by: subjectOf(t, integration), endpointId: main })
      assert.equal(record.endpoint_id, main, 'the conversation must belong to the configured service')
    },
  },
  {
    id: 'webhooks/queued-behind-the-running',
    title:
      'events for one conversation queue behind its running work, up to 20, and each accepted event has its own run',
    rules: ['HOOK-20', 'HOOK-28'],
    tags: ['limit'],
    needs: ['webhooks.messageByKey'],
    run: async (t) => {
      const { integration, key } = await createKeyed(t)
      const running = await accept(t, integration, eventOf({ ...hanging(t), key }))
      await t.runIn(running.run_id, ['running'], subjectOf(t, integration))
      const queued = await Promise.all(
        Array.from({ length: 20 }, (_, n) => accept(t, integration, eventOf({ text: `number ${n}`, key }))),
      )
      const runs = new Set([running, ...queued].map(({ run_id }) => run_id))
      assert.equal(runs.size, 21, 'each accepted event must have its own run')
      expectRefusal(await deliver(t, integration, eventOf({ text: 'beyond the limit', key })), 429)
    },
  },
]
