import { expect, it } from 'vitest'
import { createReceiver, memoryCallbackStore, toFetchHandler } from '../../src/callbacks/index.ts'
import type { TestCallbacks } from '../../src/testing/index.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const secret = 'the secret of the callbacks'

const start = (callbacks: Partial<TestCallbacks> = {}) => {
  const received: string[] = []
  const receiver = createReceiver({
    secret,
    store: memoryCallbackStore(),
    onEvent: ({ type, event_id }) => void received.push(`${type} ${event_id}`),
  })
  const { gateway, client } = startTestGateway({
    callbacks: { secret, handler: toFetchHandler(receiver), ...callbacks },
  })
  const run = (text = 'Hello') => client.runs.create('ep_test', { input: { text } })
  return { gateway, received, run }
}

it('delivers signed events to a receiver', async () => {
  const { gateway, received, run } = start()
  gateway.reply('Hello', [{ fail: { code: 'MODEL_UNAVAILABLE', message: 'Gone.' } }])
  // Deliveries do not wait for each other, so two at once may arrive in either order.
  for (let runs = 0; runs < 2; runs++) {
    await run()
    await gateway.callbacksSettled()
  }
  expect(received).toEqual(gateway.callbacks.map(({ event }) => `${event.type} ${event.event_id}`))
  expect(gateway.callbacks.map(({ event, attempts }) => [event.type, attempts])).toEqual([
    ['run.completed', [200]],
    ['run.failed', [200]],
  ])
})

it('sends only the requested types', async () => {
  const { gateway, run } = start({ eventTypes: ['approval.required'] })
  gateway.reply([{ approval: 'Refund?' }])
  gateway.decide((await run()).run_id, 'approved')
  await gateway.callbacksSettled()
  expect(gateway.callbacks.map(({ event }) => event.type)).toEqual(['approval.required'])
})

it('keeps events that the receiver did not accept, and repeats them under the same ID with the same bytes', async () => {
  const seen: { id: string | null; body: string }[] = []
  const answers = [() => Promise.reject(new Error('down')), () => new Response(null, { status: 503 })]
  const { gateway, run } = start({
    handler: async (request) => {
      seen.push({ id: request.headers.get('webhook-id'), body: await request.text() })
      return (answers.shift() ?? (() => new Response(null, { status: 204 })))()
    },
  })
  await run()
  await gateway.callbacksSettled()
  for (let i = 0; i < 3; i++) await gateway.retryCallbacks()
  expect(gateway.callbacks.map(({ attempts }) => attempts)).toEqual([[null, 503, 204]])
  expect(seen).toHaveLength(3)
  expect(new Set(seen.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
})

it('callbacksSettled() also waits for events that the receiver itself causes', async () => {
  const texts: string[] = []
  const { gateway, run } = start({
    handler: async (request) => {
      const { payload } = (await request.json()) as { payload: { result: { text: string } } }
      texts.push(payload.result.text)
      if (texts.length < 3) await run(`again ${texts.length}`)
      return new Response(null, { status: 204 })
    },
  })
  await run()
  await gateway.callbacksSettled()
  expect(texts).toEqual(['Hello', 'again 1', 'again 2'])
})

it('IDs are unique across gateways and resets, unless the test sets `idSeed`', async () => {
  const idsOf = async (idSeed?: string): Promise<string[]> => {
    const { gateway, client } = startTestGateway(idSeed === undefined ? {} : { idSeed })
    const ids = []
    for (let i = 0; i < 2; i++) {
      ids.push((await client.runs.create('ep_test', { input: { text: 'Hello' } })).run_id)
      gateway.reset()
    }
    return ids
  }
  const ids = [...(await idsOf()), ...(await idsOf())]
  expect(new Set(ids).size).toBe(4)
  const chosen = await idsOf('mine')
  expect(await idsOf('mine')).toEqual(chosen)
  expect(new Set(chosen).size).toBe(1)
})
