import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { inputsIn } from '../../../kit/steps/snapshots.ts'
import {
  countAdmitted,
  expectAdmitted,
  expectRefused,
  openWorkRoutes,
  refuseOnBothRoutes,
} from '../../../kit/steps/work-routes.ts'

const TEXT_BYTES = 65_536
const REQUEST_BYTES = 1_048_576

/** Texts of exactly the limit, in characters of one, two and four bytes. */
const LONGEST = ['x', 'é', '😀'].map((character) => character.repeat(TEXT_BYTES / Buffer.byteLength(character)))

export const checks: readonly ServerCheck[] = [
  {
    id: 'messages/text-of-64-kib',
    title: 'a text of 65,536 bytes is admitted and stored completely, one byte more is refused, on both routes',
    rules: ['MSG-08'],
    tags: ['limit'],
    run: async (t) => {
      await refuseOnBothRoutes(t, async (route) => {
        for (const text of LONGEST)
          await expectRefused(
            `${route.name} with ${Buffer.byteLength(text) + 1} bytes of text`,
            route.post({ input: { text: `${text}x` } }),
            400,
            'INVALID_REQUEST',
          )
        for (const text of [null, 7, true, ['x'], { x: 'x' }])
          await expectRefused(
            `${route.name} with text ${JSON.stringify(text)}`,
            route.post({ input: { text, data: { a: 1 } } }),
            400,
            'INVALID_REQUEST',
          )
      })
      for (const route of await openWorkRoutes(t)) {
        const { data } = t.script({ succeed: {} })
        for (const text of LONGEST)
          await expectAdmitted(`${route.name} with 65,536 bytes of text`, route.post({ input: { text, data } }))
        const kept = (await inputsIn(t, route.conversationId)).map(({ content }) => content.text)
        assert.ok(
          LONGEST.every((text, at) => kept[at] === text),
          `${route.name}: the longest texts are not stored unchanged`,
        )
      }
    },
  },
  {
    id: 'messages/text-counts-bytes',
    title: 'the size of a text is its number of UTF-8 bytes, not of characters',
    rules: ['MSG-31'],
    tags: ['limit'],
    run: (t) =>
      refuseOnBothRoutes(t, async (route) => {
        const tooLong = [
          'é'.repeat(TEXT_BYTES / 2 + 1),
          '鍵'.repeat(21_846),
          '😀'.repeat(16_385),
          `${'é'.repeat(32_767)}xyz`,
        ]
        for (const text of tooLong)
          await expectRefused(
            `${route.name} with ${text.length} characters in ${Buffer.byteLength(text)} bytes`,
            route.post({ input: { text } }),
            400,
            'INVALID_REQUEST',
          )
      }),
  },
  {
    id: 'messages/request-of-1-mib',
    title: 'a request of 1,048,576 bytes of JSON is admitted, one byte more is refused and stores nothing',
    rules: ['MSG-19'],
    tags: ['limit'],
    run: async (t) => {
      const [message] = await openWorkRoutes(t)
      assert.ok(message !== undefined)
      const script = t.script({ succeed: {} })
      const sized = (bytes: number): string => {
        const body = (filling: string) =>
          JSON.stringify({ ...message.frame, input: { ...script, data: { ...script.data, filling } } })
        return body('x'.repeat(bytes - Buffer.byteLength(body(''))))
      }
      for (const bytes of [REQUEST_BYTES + 1, REQUEST_BYTES + 70_000]) {
        const { status } = await message.postText(sized(bytes))
        assert.ok(status === 413 || status === 400, `a request of ${bytes} bytes must be refused, but got ${status}`)
      }
      assert.equal(await countAdmitted(t, message), 0, 'a request above the limit admitted a run')
      await expectAdmitted(`a request of ${REQUEST_BYTES} bytes`, message.postText(sized(REQUEST_BYTES)))
    },
  },
]
