import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, subjectOf } from '../../../kit/server/webhook-sender.ts'
import { accept, inputsOf } from '../../../kit/steps/webhooks.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/event-types',
    title: 'only the exact event types of the configuration are accepted; any other value is refused with 403',
    rules: ['HOOK-06', 'HOOK-07', 'HOOK-39'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      for (const type of ['conformance.event', 'conformance.other'])
        await accept(t, integration, eventOf({ type, text: 'hello' }))
      for (const type of [
        'Conformance.Event',
        'conformance.event ',
        ' conformance.event',
        'conformance',
        'conformance.event.more',
        'conformance.events',
        'conformance.event,conformance.other',
        'conformanceXevent',
        '',
        '*',
      ])
        expectRefusal(await deliver(t, integration, eventOf({ type, text: 'hello' })), 403)
    },
  },
  {
    id: 'webhooks/event-type-is-read-at-its-path',
    title: 'the event type is read only at its path',
    rules: ['HOOK-06', 'HOOK-07', 'HOOK-17'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const type = 'conformance.event'
      const text = 'hello'
      for (const event of [
        { type, event: { text } },
        { 'event.type': type, event: { text } },
        { event: { text, 'type.': type } },
        { event: { text, Type: type } },
        { Event: { type }, event: { text } },
        { event: { text, nested: { type } } },
        { event: { text }, events: { type } },
      ])
        expectStatus(await deliver(t, integration, event), 400, 403)
      for (const wrong of [[type], { value: type }, 7, true, null])
        expectStatus(await deliver(t, integration, eventOf({ type: wrong, text })), 400, 403)
    },
  },
  {
    id: 'webhooks/five-segments',
    title: 'a path of five segments separated by dots selects a value in nested objects',
    rules: ['HOOK-10', 'HOOK-14', 'HOOK-16', 'HOOK-17'],
    needs: ['webhooks.deepPaths'],
    run: async (t) => {
      const integration = integrationOf(t, 'deepPaths')
      const k = t.fresh('order')
      const own = await t.conversation({ conversation_key: k }, subjectOf(t, integration))
      const text = t.fresh('deep')
      const head = { t: 'conformance.event', k }
      const body = await accept(t, integration, { ...head, a: { b: { c: { d: { e: text } } } } })
      assert.equal(body.conversation_id, own.conversation_id)
      const inputs = await inputsOf(t, integration, own.conversation_id)
      assert.deepEqual(
        inputs.map(({ content }) => content.text),
        [text],
      )
      for (const wrong of [
        { 'a.b.c.d.e': text },
        { a: { b: { c: { d: { E: text } } } } },
        { a: { b: { c: { d: text } } } },
        { a: { b: [{ c: { d: { e: text } } }] } },
        { a: { b: { c: { 'd.e': text } } } },
        { a: { b: { c: { d: { e: { f: text } } } } } },
        { a: { x: { b: { c: { d: { e: text } } } } } },
        { a: 'b' },
      ])
        expectRefusal(await deliver(t, integration, { ...head, ...wrong }), 400)
      assert.equal((await inputsOf(t, integration, own.conversation_id)).length, 1)
    },
  },
]
