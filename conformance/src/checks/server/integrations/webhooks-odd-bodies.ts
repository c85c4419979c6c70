import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf } from '../../../kit/server/webhook-sender.ts'
import { expectRefused } from '../../../kit/steps/refusals.ts'
import { save, saved } from '../../../kit/steps/webhook-administration.ts'
import { accept, inputsOf } from '../../../kit/steps/webhooks.ts'

const needs = ['driver.saveWebhook'] as const

/** Members that the other routes refuse in a request body. */
const ODD = {
  'a NUL': '"more":"\\u0000"',
  'lone surrogates': '"more":["\\ud800",{"\\udc00x":"\\udfff"}]',
  'a prototype': '"__proto__":{"x":1},"constructor":{"prototype":{}}',
  'numbers beyond range': '"more":[1e999,-1e400]',
  'integers of any length': '"more":[9007199254740993,123456789012345678901234567890]',
  '998 lists': `"more":${'['.repeat(998)}${']'.repeat(998)}`,
  '998 objects': `"more":${'{"a":'.repeat(998)}0${'}'.repeat(998)}`,
}

const READ = {
  'a NUL in the text': '{"text":"\\u0000"}',
  'a lone surrogate in the text': '{"text":"a\\ud800"}',
  'a NUL in the data': '{"data":{"a":["\\u0000"]}}',
  'an integer in the data that a double cannot represent': '{"data":{"a":9007199254740993}}',
  'a number beyond range in the data': '{"data":{"a":1e999}}',
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/members-that-nobody-reads',
    title: 'members that no field path selects may have any JSON value',
    rules: ['HOOK-71'],
    needs,
    run: async (t) => {
      const integration = await saved(t)
      for (const [what, member] of Object.entries(ODD))
        for (const body of [
          `{"event":{"type":"conformance.event","text":"hello"},${member}}`,
          `{"event":{${member},"type":"conformance.event","text":"hello"}}`,
        ]) {
          const { conversation_id: id } = await accept(t, integration, body)
          const inputs = (await inputsOf(t, integration, id)).map(({ content }) => content.text)
          assert.deepEqual([what, inputs], [what, ['hello']])
        }
    },
  },
  {
    id: 'webhooks/what-is-read-keeps-the-rules',
    title: 'a value that a field path selects must follow the rules for request bodies; otherwise the answer is 400',
    rules: ['HOOK-72'],
    needs,
    run: async (t) => {
      const integration = await saved(t, { messageField: 'event.text', dataField: 'event.data' })
      for (const input of Object.values(READ)) {
        const body = `{"event":{"type":"conformance.event",${input.slice(1, -1)}}}`
        expectRefusal(await deliver(t, integration, body), 400, 'INVALID_REQUEST')
      }
      await accept(t, integration, '{"event":{"type":"conformance.event","text":"\\ud83d\\ude00","data":{"a":0.1}}}')
    },
  },
  {
    id: 'webhooks/subject-in-code-points',
    title:
      'the subject of an integration has at most 256 code points, no control characters and no surrounding white space',
    rules: ['HOOK-74'],
    tags: ['limit'],
    needs,
    run: async (t) => {
      for (const character of ['x', 'é', '😀']) {
        const start = t.fresh('subject')
        const longest = `${start}${character.repeat(256 - start.length)}`
        const { conversation_id: id } = await accept(
          t,
          await saved(t, { subject: longest }),
          eventOf({ text: 'hello' }),
        )
        expectStatus(await t.caller({ subject: longest }).snapshot(id), 200)
        expectRefused(await save(t, { subject: `${longest}${character}` }), '257 code points')
      }
      for (const subject of ['', ' ', ' a', 'a\u00a0', 'a\tb', 'a\u0085b', 'a\u0000b'])
        expectRefused(await save(t, { subject }), JSON.stringify(subject))
    },
  },
]
