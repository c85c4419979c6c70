import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, subjectOf } from '../../../kit/server/webhook-sender.ts'
import { expectOneContent, expectOneEffectAtOnce, expectOneEffectWhenGivenUp } from '../../../kit/steps/effects.ts'
import { webhookRequests } from '../../../kit/steps/repeatable-requests.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { accept, hanging, inputsOf, operationIdIn } from '../../../kit/steps/webhooks.ts'

const EVERY_ACTION = [
  'webhooks.new',
  'webhooks.messageByKey',
  'webhooks.messageById',
  'webhooks.resetCancel',
  'webhooks.cancel',
] as const

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/repeat-returns-the-admission',
    title: 'the same webhook-id with the identical body returns the existing admission, also after its run has ended',
    rules: ['HOOK-30'],
    needs: ['webhooks.new', 'webhooks.messageByKey'],
    run: async (t) => {
      for (const name of ['new', 'messageByKey'] as const) {
        const integration = integrationOf(t, name)
        const owner = subjectOf(t, integration)
        const key = t.fresh('order')
        await t.conversation({ conversation_key: key }, owner)
        const id = t.fresh('event')
        const event = eventOf({ ...t.script({ succeed: {} }), text: 'hello', key })
        const first = await accept(t, integration, event, { id })
        const ids = ({ conversation_id, generation, message_id, run_id }: typeof first) => [
          conversation_id,
          generation,
          message_id,
          run_id,
        ]
        assert.deepEqual(ids(await accept(t, integration, event, { id })), ids(first))
        await t.runEnded(first.run_id, owner)
        assert.deepEqual(ids(await accept(t, integration, event, { id })), ids(first))
        assert.equal(
          (await inputsOf(t, integration, first.conversation_id)).length,
          1,
          'a repeat admitted another message',
        )
        const other = await accept(t, integration, event, { id: `${id}x` })
        assert.notEqual(other.run_id, first.run_id, 'another webhook-id was treated as the same event')
      }
    },
  },
  {
    id: 'webhooks/repeat-outlives-the-state',
    title: 'a repeat returns its admission even if the conversation could no longer accept the event',
    rules: ['HOOK-30'],
    needs: ['webhooks.messageById'],
    run: async (t) => {
      const integration = integrationOf(t, 'messageById')
      const owner = subjectOf(t, integration)
      const { conversation_id: conversationId } = await t.conversation({}, owner)
      const id = t.fresh('event')
      const event = eventOf({ text: 'hello', conversationId, generation: 1 })
      const first = await accept(t, integration, event, { id })
      await completeReset(t, conversationId, 1, 'cancel_and_reset', owner)
      const again = await accept(t, integration, event, { id })
      assert.deepEqual([again.run_id, again.generation], [first.run_id, 1])
      expectRefusal(await deliver(t, integration, event), 409)
    },
  },
  {
    id: 'webhooks/changed-body-is-a-conflict',
    title: 'the same webhook-id with other bytes answers 409, even if their JSON is equal, and admits nothing',
    rules: ['HOOK-31', 'HOOK-41'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      const event = eventOf({ text: 'hello', key: 'a' })
      const raw = JSON.stringify(event)
      const first = await accept(t, integration, raw, { id })
      const reordered = JSON.stringify(Object.fromEntries(Object.entries(event).reverse()))
      for (const other of [
        eventOf({ text: 'hullo', key: 'a' }),
        { ...event, more: 1 },
        JSON.stringify(event, null, 1),
        `${raw}\n`,
        ` ${raw}`,
        reordered,
        raw.replace('hello', '\\u0068ello'),
      ])
        expectRefusal(await deliver(t, integration, other, { id }), 409)
      assert.equal((await accept(t, integration, raw, { id })).run_id, first.run_id)
      assert.equal((await inputsOf(t, integration, first.conversation_id)).length, 1)
    },
  },
  {
    id: 'webhooks/webhook-id-is-exact',
    title: 'webhook-ids that differ only in case are different events',
    rules: ['HOOK-30'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      const event = eventOf({ text: 'hello' })
      const first = await accept(t, integration, event, { id })
      const upper = await accept(t, integration, event, { id: id.toUpperCase() })
      assert.notEqual(upper.run_id, first.run_id)
    },
  },
  {
    id: 'webhooks/simultaneous-repeats',
    title:
      'for each action, only one of identical concurrent deliveries has effects, and all accepted ones get its answer',
    rules: ['HOOK-30'],
    tags: ['race'],
    streams: 1,
    // Other work of the integrations’ subject would be counted, too.
    alone: 'all',
    needs: EVERY_ACTION,
    run: async (t) => {
      for (const request of webhookRequests(t)) await expectOneEffectAtOnce(t, request)
    },
  },
  {
    id: 'webhooks/given-up-deliveries',
    title: 'for each action, a delivery that is aborted after 0 to 12 ms and repeated takes effect once',
    rules: ['HOOK-30'],
    tags: ['race'],
    streams: 1,
    alone: 'all',
    needs: EVERY_ACTION,
    run: async (t) => {
      for (const request of webhookRequests(t)) await expectOneEffectWhenGivenUp(t, request)
    },
  },
  {
    id: 'webhooks/simultaneous-conflicts',
    title:
      'for each action, only one of different concurrent bodies with one webhook-id has effects, and the others are refused',
    rules: ['HOOK-31', 'HOOK-41'],
    tags: ['race'],
    streams: 1,
    alone: 'all',
    needs: EVERY_ACTION,
    run: async (t) => {
      for (const request of webhookRequests(t)) await expectOneContent(t, request)
    },
  },
  {
    id: 'webhooks/repeated-controls',
    title: 'a repeated reset or cancel returns its first operation and happens once',
    rules: ['HOOK-30'],
    needs: ['webhooks.resetCancel', 'webhooks.cancel'],
    run: async (t) => {
      const resets = integrationOf(t, 'resetCancel')
      const owner = subjectOf(t, resets)
      const { conversation_id: conversationId } = await t.conversation({}, owner)
      const id = t.fresh('event')
      const event = eventOf({ conversationId, generation: 1 })
      const operation = operationIdIn(t, await accept(t, resets, event, { id }))
      await t.operationEnded(operation, owner)
      assert.equal(operationIdIn(t, await accept(t, resets, event, { id })), operation)
      assert.equal(expectStatus(await owner.snapshot(conversationId), 200).body.generation, 2)

      const cancels = integrationOf(t, 'cancel')
      const started = await t.conversation({}, owner)
      const { run_id: runId } = await t.admit(started, hanging(t), owner)
      const ids = new Set<string>()
      // A different ID, because only the reference profile requires each integration to remember its own IDs.
      const cancelId = t.fresh('event')
      for (let n = 0; n < 3; n += 1)
        ids.add(operationIdIn(t, await accept(t, cancels, eventOf({ runId }), { id: cancelId })))
      assert.equal(ids.size, 1)
      assert.equal((await t.runEnded(runId, owner)).state, 'cancelled')
    },
  },
  {
    id: 'webhooks/accepted-durably',
    title: 'an accepted event survives killing the gateway right after the answer',
    rules: ['HOOK-29', 'HOOK-30'],
    tags: ['durability', 'slow'],
    alone: 'all',
    needs: ['webhooks.new', 'driver.restartServer'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      const event = eventOf({ text: 'hello' })
      const first = await accept(t, integration, event, { id })
      await t.driver.restartServer()
      const inputs = await inputsOf(t, integration, first.conversation_id)
      assert.deepEqual(
        inputs.map(({ message_id, content }) => [message_id, content.text]),
        [[first.message_id, 'hello']],
      )
      assert.equal((await accept(t, integration, event, { id })).run_id, first.run_id)
    },
  },
]
