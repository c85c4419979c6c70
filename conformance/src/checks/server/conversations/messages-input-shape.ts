import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { inputsIn, readHistory, readSnapshot } from '../../../kit/steps/snapshots.ts'
import { expectAdmitted, expectRefused, openWorkRoutes, refuseOnBothRoutes } from '../../../kit/steps/work-routes.ts'

const input = { text: 'hello' }

export const checks: readonly ServerCheck[] = [
  {
    id: 'messages/unknown-fields',
    title:
      'an unknown field in the body or in the input is refused with 400 UNKNOWN_FIELD and admits nothing; data may have any field',
    rules: ['MSG-02'],
    run: async (t) => {
      const [message] = await openWorkRoutes(t)
      assert.ok(message !== undefined)
      for (const name of ['x', 'Input', 'expectedGeneration', 'stream', 'conversation_key', 'generation', 'subject'])
        await expectRefused(`the field ${name}`, message.post({ input, [name]: 1 }), 400, 'UNKNOWN_FIELD')
      for (const name of ['x', 'Text', 'attachments', 'role', 'generation'])
        await expectRefused(`input.${name}`, message.post({ input: { ...input, [name]: 'x' } }), 400, 'UNKNOWN_FIELD')
      assert.deepEqual(await readHistory(t, message.conversationId), [], 'a refused message is in the history')
      const data = { x: 1, model: 'm', input: { text: 1 }, expected_generation: 'free' }
      await expectAdmitted('data with members of any name', message.post({ input: { text: 'hello', data } }))
    },
  },
  {
    id: 'messages/no-choice-of-execution',
    title: 'a model, a working directory, tool permissions and busy_policy are refused in the body and in the input',
    rules: ['MSG-18'],
    tags: ['security'],
    run: async (t) => {
      const [message] = await openWorkRoutes(t)
      assert.ok(message !== undefined)
      const settings = {
        model: 'other-model',
        working_directory: '/',
        cwd: '/',
        tool_permissions: ['shell'],
        tools: [],
        permissions: { shell: true },
        busy_policy: 'cancel_and_reset',
      }
      for (const [name, value] of Object.entries(settings)) {
        await expectRefused(name, message.post({ input, [name]: value }), 400)
        await expectRefused(`input.${name}`, message.post({ input: { ...input, [name]: value } }), 400)
      }
      await expectRefused('busy_policy reject', message.post({ input, busy_policy: 'reject' }), 400)
      assert.deepEqual((await readSnapshot(t, message.conversationId)).runs, [])
    },
  },
  {
    id: 'messages/generation-is-required',
    title: 'a message whose expected_generation is missing or not a positive integer is 400 INVALID_REQUEST',
    rules: ['MSG-03', 'MSG-04'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const post = (body: object) => t.me.post(`/conversations/${id}/messages`, body)
      await expectRefused('a message without expected_generation', post({ input }), 400, 'INVALID_REQUEST')
      for (const given of ['1', '', 'one', 1.5, 0.5, 0, -1, null, true, [1], { value: 1 }])
        await expectRefused(
          `expected_generation ${JSON.stringify(given)}`,
          post({ input, expected_generation: given }),
          400,
          'INVALID_REQUEST',
        )
      assert.deepEqual((await readSnapshot(t, id)).runs, [], 'a refused message has a run')
      expectStatus(await post({ input, expected_generation: 1 }), 202)
    },
  },
  {
    id: 'messages/input-is-an-object',
    title: 'an input that is missing or not an object is 400 INVALID_REQUEST on both routes with an input',
    rules: ['MSG-06'],
    run: (t) =>
      refuseOnBothRoutes(t, async (route) => {
        await expectRefused(`${route.name} without input`, route.post({}), 400, 'INVALID_REQUEST')
        for (const given of [null, 'hello', '', 7, true, [], ['hello'], [{ text: 'hello' }]])
          await expectRefused(
            `${route.name} with input ${JSON.stringify(given)}`,
            route.post({ input: given }),
            400,
            'INVALID_REQUEST',
          )
      }),
  },
  {
    id: 'messages/input-has-content',
    title: 'an input needs one non-empty member; text alone and data alone are enough',
    rules: ['MSG-07'],
    run: async (t) => {
      await refuseOnBothRoutes(t, async (route) => {
        for (const given of [{}, { text: '' }])
          await expectRefused(`${route.name} ${JSON.stringify(given)}`, route.post({ input: given }), 400)
      })
      for (const route of await openWorkRoutes(t))
        for (const given of [{ text: 'x' }, { data: { a: null } }, { text: '', data: { a: '' } }])
          await expectAdmitted(`${route.name} ${JSON.stringify(given)}`, route.post({ input: given }))
    },
  },
  {
    id: 'messages/data-is-a-plain-object',
    title: 'input.data that is not an object is refused even next to a text; an object and a text are stored unchanged',
    rules: ['MSG-10'],
    run: async (t) => {
      await refuseOnBothRoutes(t, async (route) => {
        for (const data of [[], [{ a: 1 }], 'x', '{}', '', 7, 0, true, false, null])
          await expectRefused(
            `${route.name} with data ${JSON.stringify(data)}`,
            route.post({ input: { text: 'hello', data } }),
            400,
            'INVALID_REQUEST',
          )
      })
      const data = {
        a: null,
        b: [1, 'x', { c: false }, []],
        'ключ 鍵': 1.5,
        '': '',
        d: { e: { f: {} } },
        length: -0.25,
      }
      const text = '  e\u0301 \t<b>&amp;</b>\r\n'
      for (const route of await openWorkRoutes(t)) {
        await expectAdmitted(route.name, route.post({ input: { text, data } }))
        const [submitted] = await inputsIn(t, route.conversationId)
        assert.equal(submitted?.content.text, text, `${route.name}: the history shows a text other than the one sent`)
        assert.deepEqual(
          submitted?.content.data,
          data,
          `${route.name}: the history shows data other than the data sent`,
        )
      }
    },
  },
  {
    id: 'messages/omitted-text-is-empty',
    title: 'an input without text is treated as an input with empty text',
    rules: ['MSG-09'],
    run: async (t) => {
      for (const route of await openWorkRoutes(t)) {
        const { data } = t.script({ succeed: { text: 'done' } })
        for (const given of [{ data: { ...data, n: 1 } }, { text: '', data: { ...data, n: 2 } }])
          await expectAdmitted(`${route.name} ${JSON.stringify(given)}`, route.post({ input: given }))
        const texts = (await inputsIn(t, route.conversationId)).map(({ content }) => content.text ?? '')
        assert.deepEqual(texts, ['', ''], `${route.name}: an omitted text is not empty`)
      }
    },
  },
]
