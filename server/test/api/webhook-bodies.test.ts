import { expect, test } from 'vitest'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver } from '../support/webhook-sender.ts'

/** What senders put into their bodies that nobody reads, and what comes of it where somebody does (D-56). */

const FIELDS = {
  action: 'new',
  message_field: 'order.text',
  data_field: 'order.data',
  resource_ids_field: 'order.files',
}

/** Members that no body of the API may have. */
const ODD_MEMBERS = [
  '"more":"\\u0000"',
  '"more":["\\ud800",{"\\udc00":"\\u0000"}]',
  '"__proto__":{"x":1}',
  '"constructor":{"prototype":{}}',
  '"more":1e999',
  '"more":[-1e400,12345678901234567890,9007199254740993]',
  `"more":${'['.repeat(998)}${']'.repeat(998)}`,
  `"more":${'{"a":'.repeat(998)}1${'}'.repeat(998)}`,
  `"more":[${Array(200_000).fill('0').join()}]`,
]

const INEXACT = 'is an integer with more digits than a number holds exactly; send it as a string'
const ODD_TEXT = 'has a lone surrogate or NUL'

onGateways(
  'the body of a webhook',
  (running) => {
    const device = playDevice(running)
    const answerTo = async (order: string, more = '"x":1') => {
      await device.beat()
      const integration = await createIntegration(running, FIELDS)
      const { status, body } = await deliver(running, integration, `{"type":"order.question",${more},"order":${order}}`)
      return { status, code: body.code, errors: body.errors, runId: body.run_id }
    }

    test.each(ODD_MEMBERS)('may hold what nobody reads: %.60s [HOOK-71]', async (member) => {
      for (const [order, more] of [
        ['{"text":"hello"}', member],
        [`{"text":"hello",${member}}`, undefined],
        [`{${member},"data":{"a":1}}`, undefined],
      ] as const) {
        const { status, runId } = await answerTo(order, more)
        expect(status).toBe(202)
        const { text, data } = await device.take(runId)
        expect([text, data]).toEqual(order.includes('hello') ? ['hello', null] : [null, '{"a":1}'])
      }
    })

    test.each([
      ['{"text":"\\u0000"}', '/order/text', ODD_TEXT],
      ['{"text":"x\\ud800"}', '/order/text', ODD_TEXT],
      ['{"data":{"a":["\\udc00"]}}', '/order/data/a/0', ODD_TEXT],
      ['{"data":{"\\ud800":1}}', '/order/data/\ufffd', `${ODD_TEXT} in its name`],
      ['{"data":{"a":{"__proto__":1}}}', '/order/data/a/__proto__', 'is not an allowed member name'],
      ['{"data":{"a":1e999}}', '/order/data/a', 'is beyond the range of numbers'],
      ['{"data":{"a":9007199254740993}}', '/order/data/a', INEXACT],
      ['{"files":[9007199254740993]}', '/order/files/0', INEXACT],
      [`{"data":${'{"a":'.repeat(129)}1${'}'.repeat(129)}}`, '/order/data', 'must be nested at most 128 levels deep'],
      [`{"data":{"a":[${Array(50_000).fill('0').join()}]}}`, '/order/data', 'has more than 50000 values and members'],
    ])('is refused for what somebody reads, naming the place: %.60s [HOOK-72]', async (order, pointer, message) => {
      expect(await answerTo(order)).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST',
        errors: [{ pointer, message }],
      })
    })

    test('is refused for a generation that a double cannot hold [HOOK-72]', async () => {
      await device.beat()
      const integration = await createIntegration(running, {
        action: 'reset',
        conversation_id_field: 'order.conversation',
        generation_field: 'order.generation',
      })
      for (const [generation, message] of [
        ['9007199254740993', INEXACT],
        ['1e999', 'is beyond the range of numbers'],
      ]) {
        const event = `{"type":"order.question","order":{"conversation":"conv_1","generation":${generation}}}`
        expect((await deliver(running, integration, event)).body.errors).toEqual([
          { pointer: '/order/generation', message },
        ])
      }
    })

    test('of an event type that is no text is of no type that is accepted, whatever it is', async () => {
      await device.beat()
      const integration = await createIntegration(running, FIELDS)
      for (const type of ['1e999', '"\\ud800"', '"\\u0000"', '12345678901234567890', '{"__proto__":1}', '[]'])
        expect((await deliver(running, integration, `{"type":${type},"order":{"text":"x"}}`)).status).toBe(403)
    })

    test('keeps data as it was sent, members in their order', async () => {
      const data = '{ "10": 1.0, "b": {"2":"\\u0041","1":[1e2]}, "9": null }'
      const { runId } = await answerTo(`{"data":${data}}`)
      expect((await device.take(runId)).data).toBe(data)
    })

    test('nested deeper than a thousand levels is refused, naming where', async () => {
      const { status, errors } = await answerTo('{"text":"hello"}', `"more":${'['.repeat(1000)}${']'.repeat(1000)}`)
      expect([status, errors?.[0]?.message]).toEqual([400, 'is nested deeper than 1000 levels'])
    })
  },
  WITHOUT_WORKER,
)
