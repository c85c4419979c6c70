import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { inputsIn } from '../../../kit/steps/snapshots.ts'
import { expectAdmitted, expectRefused, openWorkRoutes, refuseOnBothRoutes } from '../../../kit/steps/work-routes.ts'

/** JSON escapes that no string of a request may contain. */
const FORBIDDEN = ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x', 'x\\udbff', '\\udc00\\ud800']

export const checks: readonly ServerCheck[] = [
  {
    id: 'messages/empty-members',
    title:
      'text "", data {} and resource_ids [] are empty content, alone or together, and are valid next to other content',
    rules: ['MSG-29', 'MSG-30'],
    run: async (t) => {
      const empties = [{ text: '' }, { data: {} }, { resource_ids: [] }]
      const [text, data, resourceIds] = empties
      const combined = [
        {},
        ...empties,
        { ...text, ...data },
        { ...text, ...resourceIds },
        { ...data, ...resourceIds },
        { ...text, ...data, ...resourceIds },
      ]
      await refuseOnBothRoutes(t, async (route) => {
        for (const input of combined)
          await expectRefused(
            `${route.name} with ${JSON.stringify(input)}`,
            route.post({ input }),
            400,
            'INVALID_REQUEST',
          )
      })
      for (const route of await openWorkRoutes(t))
        for (const input of [
          { ...data, ...resourceIds, text: 'x' },
          { ...text, ...resourceIds, data: { a: 1 } },
        ])
          await expectAdmitted(`${route.name} with ${JSON.stringify(input)}`, route.post({ input }))
    },
  },
  {
    id: 'messages/lone-surrogates-and-nul',
    title:
      'a lone surrogate or a NUL in any string or name of a request body is 400 INVALID_REQUEST; a surrogate pair is accepted',
    rules: ['MSG-32'],
    run: async (t) => {
      await refuseOnBothRoutes(t, async (route) => {
        const frame = JSON.stringify(route.frame).slice(1, -1)
        for (const odd of FORBIDDEN)
          for (const input of [
            `{"text":"${odd}"}`,
            `{"data":{"a":"${odd}"}}`,
            `{"data":{"a":[{"b":["${odd}"]}]}}`,
            `{"data":{"${odd}":1}}`,
            `{"text":"x","resource_ids":["${odd}"]}`,
          ])
            await expectRefused(
              `${route.name} with ${input}`,
              route.postText(`{${frame},"input":${input}}`),
              400,
              'INVALID_REQUEST',
            )
      })
      const main = JSON.stringify(t.config.services.main)
      for (const odd of FORBIDDEN) {
        const key = `"conversation_key":"${odd}"`
        for (const [path, body] of [
          ['/conversations', `{"endpoint_id":${main},${key}}`],
          ['/conversations', `{"endpoint_id":"${odd}"}`],
          [`/agent-endpoints/${t.config.services.main}/runs`, `{"input":{"text":"x"},${key}}`],
        ] as const)
          await expectRefused(`${path} with ${body}`, t.me.postText(path, body), 400)
      }
      for (const route of await openWorkRoutes(t)) {
        const frame = JSON.stringify(route.frame).slice(1, -1)
        const body = `{${frame},"input":{"text":"\\ud83d\\ude00\\uffff","data":{"\\ud83d\\ude00":"\\u0001"}}}`
        await expectAdmitted(`${route.name} with a pair of surrogates`, route.postText(body))
        assert.deepEqual(
          (await inputsIn(t, route.conversationId)).map(({ content }) => [content.text, content.data]),
          [['😀\uffff', { '😀': '\u0001' }]],
        )
      }
    },
  },
]
