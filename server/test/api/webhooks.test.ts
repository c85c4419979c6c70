import { expect, test } from 'vitest'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'
import { uploadAttachment } from '../support/upload-attachment.ts'
import { createIntegration, deliver, pointersOf, question, refusalOf } from '../support/webhook-sender.ts'

onGateways('an incoming webhook', (running) => {
  test('is refused with the pointer of each value that has a wrong type or exceeds a limit [HOOK-43, HOOK-60, HOOK-16, HOOK-17, RES-19]', async () => {
    const integration = await createIntegration(running, {
      data_field: 'order.data',
      resource_ids_field: 'order.files',
    })
    const file = await uploadAttachment(running.client({ subject: 'order-system' }), { contentType: 'image/png' })
    const cases: [change: object, pointers: string[]][] = [
      [{ customer: { message: 7 } }, ['/customer/message']],
      [{ customer: { message: ['x'] } }, ['/customer/message']],
      [{ customer: { message: 'x'.repeat(65_537) } }, ['/customer/message']],
      [{ customer: 'x' }, ['/customer']],
      [{ customer: [{ message: 'x' }] }, ['/customer']],
      [{ order: { id: 7 } }, ['/order/id']],
      [{ order: { id: '' } }, ['/order/id']],
      [{ order: { id: ' x' } }, ['/order/id']],
      [{ order: { id: 'x'.repeat(257) } }, ['/order/id']],
      [{ order: {} }, ['/order/id']],
      [{ order: { id: null } }, ['/order/id']],
      [{ order: { id: 'a', data: [] } }, ['/order/data']],
      [{ order: { id: 'a', data: 'x' } }, ['/order/data']],
      [{ order: { id: 'a', files: 'res_1' } }, ['/order/files']],
      [{ order: { id: 'a', files: [7] } }, ['/order/files/0']],
      [{ order: { id: 'a', files: ['r', 'r'] } }, ['/order/files/1']],
      [{ order: { id: 'a', files: ['1', '2', '3', '4', '5', '6'] } }, ['/order/files']],
      [{ order: { id: 'a', files: ['res_nobody', file] } }, ['/order/files/0', '/order/files/1']],
    ]
    for (const [change, pointers] of cases) {
      const answer = await deliver(running, integration, { ...question(), ...change })
      expect([change, ...refusalOf(answer), [...new Set(pointersOf(answer))]]).toEqual([
        change,
        400,
        'INVALID_REQUEST',
        pointers,
      ])
    }
  })

  test('decrypts as much for an unknown integration as for an invalid signature [HOOK-62]', async () => {
    const integration = await createIntegration(running)
    const { secrets } = running.gateway.context
    if (secrets === null) throw new Error('the gateway has a secret key')
    const { open } = secrets
    const opened: number[][] = []
    Object.assign(secrets, {
      open: (sealed: Uint8Array, context: string) => {
        opened.at(-1)?.push(sealed.byteLength)
        return open(sealed, context)
      },
    })
    try {
      const invalid = { signature: `v1,${'0'.repeat(64)}` }
      for (const integration_id of [integration.integration_id, 'wh_nobody']) {
        opened.push([])
        await deliver(running, { ...integration, integration_id }, question(), invalid)
      }
    } finally {
      Object.assign(secrets, { open })
    }
    expect(opened[0]).not.toEqual([])
    expect(opened[0]).toEqual(opened[1])
  })

  test.each([
    { contentType: 'no type' },
    { contentType: 'application/json; charset=latin1' },
    { headers: { 'content-encoding': 'gzip' } },
  ])('is refused with 415 if it is not JSON in UTF-8: %j [HOOK-46]', async (options) => {
    const integration = await createIntegration(running)
    const answer = await deliver(running, integration, question(), options)
    expect(refusalOf(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test.each([['{}\ufeff'], [Buffer.from([0x7b, 0xff, 0x7d])]])(
    'is refused if its signed body is not JSON: %j [HOOK-47]',
    async (event) => {
      const integration = await createIntegration(running)
      expect(refusalOf(await deliver(running, integration, event))).toEqual([400, 'INVALID_REQUEST'])
    },
  )
})

const FIELDS = {
  action: 'new',
  message_field: 'order.text',
  data_field: 'order.data',
  resource_ids_field: 'order.files',
}

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
    ])(
      'is refused with the pointer of the invalid value that a field selects: %.60s [HOOK-72]',
      async (order, pointer, message) => {
        expect(await answerTo(order)).toMatchObject({
          status: 400,
          code: 'INVALID_REQUEST',
          errors: [{ pointer, message }],
        })
      },
    )

    test('is refused if a double cannot represent its generation [HOOK-72]', async () => {
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

    test('is refused with 403 if its event type is not a valid string', async () => {
      await device.beat()
      const integration = await createIntegration(running, FIELDS)
      for (const type of ['1e999', '"\\ud800"', '"\\u0000"', '12345678901234567890', '{"__proto__":1}', '[]'])
        expect((await deliver(running, integration, `{"type":${type},"order":{"text":"x"}}`)).status).toBe(403)
    })

    test('keeps the text of its data, with the members in the sent order', async () => {
      const data = '{ "10": 1.0, "b": {"2":"\\u0041","1":[1e2]}, "9": null }'
      const { runId } = await answerTo(`{"data":${data}}`)
      expect((await device.take(runId)).data).toBe(data)
    })

    test('is refused if it is nested more than 1000 levels deep', async () => {
      const { status, errors } = await answerTo('{"text":"hello"}', `"more":${'['.repeat(1000)}${']'.repeat(1000)}`)
      expect([status, errors?.[0]?.message]).toEqual([400, 'is nested deeper than 1000 levels'])
    })
  },
  WITHOUT_WORKER,
)
