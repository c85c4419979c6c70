import { expect, it } from 'vitest'
import { createClient } from '../../src/index.ts'
import { createTestGateway, type TestWebhook } from '../../src/testing/index.ts'
import { createWebhookSender } from '../../src/webhooks/index.ts'

const baseUrl = 'https://gateway.test'
const secret = 'the secret of the webhook'
const backoff = { baseMs: 1, maxMs: 1 }

const orders: TestWebhook = {
  integrationId: 'orders',
  secret,
  subject: 'order-system',
  action: (event) => {
    const { type, order, conversation_id: conversationId, run_id: runId } = event as Record<string, string>
    const input = { text: String(event.text) }
    switch (type) {
      case 'asked':
        return { kind: 'run', endpointId: 'ep_test', body: { input, conversation_key: order ?? 'none' } }
      case 'said':
        return { kind: 'message', conversationId: conversationId ?? '', body: { expected_generation: 1, input } }
      case 'forgotten':
        return { kind: 'reset', conversationId: conversationId ?? '', body: { expected_generation: 1 } }
      case 'stopped':
        return { kind: 'cancel', runId: runId ?? '' }
      default:
        return null
    }
  },
}

const start = (more: Partial<Parameters<typeof createWebhookSender>[0]> = {}) => {
  const gateway = createTestGateway({ baseUrl, webhooks: [orders] })
  const { fetch } = gateway
  const sender = createWebhookSender({ url: `${baseUrl}/api/v1/webhooks/orders`, secret, fetch, backoff, ...more })
  const client = createClient({ baseUrl, apiKey: 'gk_test', subject: 'order-system', fetch })
  return { gateway, sender, client }
}

it('executes an event’s action for the subject of the webhook', async () => {
  const { gateway, sender, client } = start()
  const admission = await sender.send({ type: 'asked', order: '4711', text: 'Where is it?' })
  if (!('run_id' in admission)) throw new Error('no run was admitted')
  expect(await client.runs.get(admission.run_id)).toMatchObject({
    state: 'succeeded',
    result: { text: 'Where is it?' },
  })
  const { conversation_id } = admission
  expect(await sender.send({ type: 'said', conversation_id, text: 'And now?' })).toMatchObject({ conversation_id })
  const reset = await sender.send({ type: 'forgotten', conversation_id })
  expect(reset).toMatchObject({ operation_id: expect.any(String) })
  expect(
    gateway.conversations.map(({ record, runs }) => [record.business_key, record.generation, runs.length]),
  ).toEqual([['4711', 2, 2]])
})

it('cancels a run', async () => {
  const { gateway, sender, client } = start()
  gateway.reply([{ hang: true }])
  const { run_id } = await client.runs.create('ep_test', { input: { text: 'Hello' } })
  await sender.send({ type: 'stopped', run_id })
  expect((await client.runs.get(run_id)).state).toBe('cancelled')
})

it('repeats the first answer without a second effect, even after a lost answer', async () => {
  const { gateway, sender } = start()
  gateway.failNext({ operation: 'receiveWebhook', fault: 'lose-answer' })
  const event = { type: 'asked', order: '4711', text: 'Where is it?' }
  const first = await sender.send(event, { id: 'evt-1' }).withResponse()
  const again = await sender.send(event, { id: 'evt-1' }).withResponse()
  expect([first.attempts, first.replayed, again.replayed]).toEqual([2, true, true])
  expect(again.data).toEqual(first.data)
  expect(gateway.conversations[0]?.runs).toHaveLength(1)
  expect(gateway.requests.map(({ operation, status }) => [operation, status])).toEqual([
    ['receiveWebhook', null],
    ['receiveWebhook', 202],
    ['receiveWebhook', 202],
  ])
})

it('has one effect when an event arrives twice concurrently', async () => {
  const { gateway, sender } = start()
  const event = { type: 'asked', order: '4711', text: 'Where is it?' }
  const [one, other] = await Promise.all([sender.send(event, { id: 'evt-1' }), sender.send(event, { id: 'evt-1' })])
  expect(other).toEqual(one)
  expect(gateway.conversations[0]?.runs).toHaveLength(1)
})

it.each([
  ['another body under its ID', { type: 'asked', text: 'changed' }, 'evt-1', {}, 409, 'WEBHOOK_CONFLICT'],
  ['a type that is not accepted', { type: 'paid' }, 'evt-2', {}, 403, 'PERMISSION_DENIED'],
  ['a foreign record', { type: 'stopped', run_id: 'run_x' }, 'evt-2', {}, 404, 'NOT_FOUND'],
  ['the wrong secret', { type: 'asked', text: 'x' }, 'evt-2', { secret: 'another' }, 401, 'UNAUTHENTICATED'],
  ['the wrong address', { type: 'asked' }, 'e', { url: `${baseUrl}/api/v1/webhooks/other` }, 404, 'NOT_FOUND'],
])('refuses %s', async (_name, event, id, options, status, code) => {
  const { gateway, sender } = start()
  const { fetch } = gateway
  await sender.send({ type: 'asked', order: '1', text: 'x' }, { id: 'evt-1' })
  const settings = { url: `${baseUrl}/api/v1/webhooks/orders`, secret, fetch, backoff, ...options }
  const refused = await createWebhookSender(settings).send(event, { id }).outcome()
  expect(refused).toMatchObject({ kind: 'refused', error: { status, code } })
  expect(gateway.conversations.flatMap(({ runs }) => runs)).toHaveLength(1)
})

it('refuses a body that is not an object or not JSON', async () => {
  const { sender } = start()
  for (const body of ['[]', '{'])
    expect(await sender.send(new TextEncoder().encode(body)).outcome()).toMatchObject({
      kind: 'refused',
      error: { status: 400, code: 'INVALID_REQUEST' },
    })
})
