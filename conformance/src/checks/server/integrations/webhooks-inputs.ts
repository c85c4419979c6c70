import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, subjectOf } from '../../../kit/server/webhook-sender.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { upload } from '../../../kit/steps/attachments.ts'
import { accept, inputsOf } from '../../../kit/steps/webhooks.ts'

const NOTHING = [{}, { text: '' }]
/** The specification does not define whether these are an input; D-25 decides it. */
const EMPTY = [{ data: {} }, { resource_ids: [] }, { text: '', data: {} }]

const MARKERS = ['/etc/marker-of-the-payload', 'model-of-the-payload', 'tool-of-the-payload']

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/data-field',
    title: 'the structured data field is read as a JSON object and nothing else',
    rules: ['HOOK-11', 'HOOK-43'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const data = { order: { id: 7, lines: [1, 'two', null, true] }, empty: {} }
      const { conversation_id } = await accept(t, integration, eventOf({ data }))
      const [input] = await inputsOf(t, integration, conversation_id)
      assert.deepEqual(input?.content.data, data)
      for (const wrong of ['{"a":1}', 7, true, [{ a: 1 }]])
        expectRefusal(await deliver(t, integration, eventOf({ text: 'hello', data: wrong })), 400)
    },
  },
  {
    id: 'webhooks/message-field',
    title: 'the message field is read as a text and nothing else',
    rules: ['HOOK-10', 'HOOK-43'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const text = ' schön, 日本 \u{1F600}\n"quoted" '
      const { conversation_id } = await accept(t, integration, { ...eventOf({ text }), text: 'another place' })
      const [input] = await inputsOf(t, integration, conversation_id)
      assert.equal(input?.content.text, text)
      for (const wrong of [7, true, ['hello'], { text: 'hello' }])
        expectRefusal(await deliver(t, integration, eventOf({ text: wrong, data: { a: 1 } })), 400)
      expectRefusal(await deliver(t, integration, { ...eventOf({}), text: 'hello', message: 'hello' }), 400)
    },
  },
  {
    id: 'webhooks/resource-ids-field',
    title: 'the resource IDs field is read as a list of IDs, which may be empty or absent',
    rules: ['HOOK-12', 'HOOK-43'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      for (const resource_ids of [[], undefined]) await accept(t, integration, eventOf({ text: 'hello', resource_ids }))
      for (const wrong of ['res_1', 7, true, {}, [7], [null], [['res_1']]])
        expectRefusal(await deliver(t, integration, eventOf({ text: 'hello', resource_ids: wrong })), 400)
      const unknown = eventOf({ text: 'hello', resource_ids: [`res_${'0'.repeat(32)}`] })
      expectStatus(await deliver(t, integration, unknown), 400, 403, 404, 422)
    },
  },
  {
    id: 'webhooks/resources-are-used',
    title: 'resource IDs of the fixed subject are a valid input on their own, and those of another subject are refused',
    rules: ['HOOK-08', 'HOOK-12', 'HOOK-26'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const own = await upload(t, {}, subjectOf(t, integration))
      const foreign = await upload(t)
      const { conversation_id } = await accept(t, integration, eventOf({ resource_ids: [own.resource_id] }))
      const [input] = await inputsOf(t, integration, conversation_id)
      if (t.profile === 'reference') assert.deepEqual(input?.content, { resource_ids: [own.resource_id] })
      const refused = await deliver(t, integration, eventOf({ text: 'x', resource_ids: [foreign.resource_id] }))
      expectStatus(refused, 400, 403, 404, 422)
    },
  },
  {
    id: 'webhooks/needs-one-input',
    title: 'an event needs at least one of text, data and resources; without any it is refused with 400',
    rules: ['HOOK-26', 'HOOK-43'],
    needs: ['webhooks.new', 'webhooks.messageByKey', 'webhooks.messageById'],
    run: async (t) => {
      const owner = subjectOf(t, integrationOf(t, 'new'))
      const key = t.fresh('order')
      const { conversation_id: conversationId } = await t.conversation({ conversation_key: key }, owner)
      for (const name of ['new', 'messageByKey', 'messageById'] as const) {
        const integration = integrationOf(t, name)
        const target = { key, conversationId, generation: 1 }
        for (const nothing of t.profile === 'core' ? NOTHING : [...NOTHING, ...EMPTY])
          expectRefusal(await deliver(t, integration, eventOf({ ...target, ...nothing })), 400)
        for (const enough of [{ text: 'x' }, { data: { a: null } }])
          await accept(t, integration, eventOf({ ...target, ...enough }))
      }
    },
  },
  {
    id: 'webhooks/business-key-type',
    title:
      'a business key is a text of up to 256 characters; an event without one, or with another type, is refused with 400',
    rules: ['HOOK-14', 'HOOK-43'],
    tags: ['limit'],
    needs: ['webhooks.messageByKey'],
    run: async (t) => {
      const integration = integrationOf(t, 'messageByKey')
      for (const key of [undefined, 7, true, ['a'], { a: 'b' }])
        expectRefusal(await deliver(t, integration, eventOf({ text: 'hello', key })), 400)
      const longest = t.fresh('order').padEnd(256, 'x')
      const own = await t.conversation({ conversation_key: longest }, subjectOf(t, integration))
      const { conversation_id } = await accept(t, integration, eventOf({ text: 'hello', key: longest }))
      assert.equal(conversation_id, own.conversation_id)
    },
  },
  {
    id: 'webhooks/fixed-subject',
    title: 'the work of an event belongs to the configured subject, even if body or headers name another',
    rules: ['HOOK-08'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const { subject } = t.me
      const event = { ...eventOf({ text: 'hello' }), subject, 'x-service-subject': subject, user: { subject } }
      const body = await accept(t, integration, event, { headers: { 'x-service-subject': subject } })
      expectStatus(await subjectOf(t, integration).run(body.run_id), 200)
      expectRefusal(await t.me.run(body.run_id), 404)
      expectRefusal(await t.me.snapshot(body.conversation_id), 404)
    },
  },
  {
    id: 'webhooks/nothing-else-is-mapped',
    title: 'paths, models, working directories and tool permissions in a body have no effect',
    rules: ['HOOK-27', 'HOOK-37'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const [path, model, tool] = MARKERS
      const powers = {
        cwd: path,
        working_directory: path,
        path,
        model,
        permissions: [tool],
        tools: [tool],
        allow: tool,
      }
      const parts = eventOf({ ...t.script({ succeed: {} }), text: 'hello' })
      const event = { ...parts, ...powers, event: { ...parts.event, ...powers }, input: powers, options: powers }
      const body = await accept(t, integration, event)
      const reader = subjectOf(t, integration)
      await t.runEnded(body.run_id, reader)
      const answers: readonly Answer[] = [
        await reader.run(body.run_id),
        await reader.snapshot(body.conversation_id),
        await reader.history(body.conversation_id),
      ]
      for (const answer of answers)
        for (const marker of MARKERS)
          assert.ok(!expectStatus(answer, 200).text.includes(marker), `an answer shows ${marker} from the body`)
    },
  },
]
