import { createHash } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { collectUnhandled } from '../../test/support/unhandled.ts'
import { signedHeaders } from '../signature/sign.ts'
import { SignatureError } from '../signature/signature-error.ts'
import {
  type CallbackDelivery,
  type CallbackStore,
  type CallbackVerdict,
  memoryCallbackStore,
} from './callback-store.ts'
import { createReceiver, type IncomingCallback, type ReceiverOptions } from './receiver.ts'
import { signCallback } from './sign-callback.ts'

const secret = 'callback-secret'
const now = new Date('2026-01-01T00:00:00Z')
const event = { event_id: 'evt_1', type: 'run.annotated', payload: { note: 'a' } }

const createKit = (options: Partial<ReceiverOptions<undefined>> = {}) => {
  const errors: unknown[] = []
  const receiver = createReceiver({
    secret,
    store: memoryCallbackStore(),
    onError: (error) => errors.push(error),
    now: () => now,
    ...options,
  })
  const receive = async (callback: Partial<IncomingCallback> = {}) => {
    const { status, headers, body } = await receiver.receive({ ...(await incoming(event)), ...callback })
    return { status, headers, ...JSON.parse(body) }
  }
  return { receive, errors }
}

const incoming = async (sent: { event_id: string }): Promise<IncomingCallback> => {
  const { headers, body } = await signCallback(sent, { secret, now })
  return { method: 'POST', headers, readBody: async () => body }
}

it('[CB-40] answers only after the store has committed', async () => {
  const commit = Promise.withResolvers<CallbackVerdict>()
  const store: CallbackStore<undefined> = { record: () => commit.promise }
  let isAnswered = false
  const answer = createKit({ store })
    .receive()
    .then((reply) => {
      isAnswered = true
      return reply
    })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isAnswered).toBe(false)
  commit.resolve('new')
  expect(await answer).toMatchObject({ status: 200 })
})

it('[CB-40] answers 500 without the reason when the store fails', async () => {
  const store: CallbackStore<undefined> = { record: () => Promise.reject(new Error('password=hunter2')) }
  const { receive, errors } = createKit({ store })
  const reply = await receive()
  expect(reply).toEqual({ status: 500, headers: { 'content-type': 'application/json' }, outcome: 'failed' })
  expect(errors).toEqual([new Error('password=hunter2')])
})

it('treats an event as new again after its handler rejected it', async () => {
  const onEvent = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('not now'))
  const { receive } = createKit({ onEvent })
  expect(await receive()).toMatchObject({ status: 500, outcome: 'failed' })
  expect(await receive()).toMatchObject({ status: 200, outcome: 'new' })
  expect(onEvent).toHaveBeenCalledTimes(2)
})

it('passes the event, its bytes and their hash to the store', async () => {
  const deliveries: CallbackDelivery[] = []
  const store: CallbackStore<undefined> = {
    record: async (delivery) => {
      deliveries.push(delivery)
      return 'new'
    },
  }
  await createKit({ store }).receive()
  const body = new TextEncoder().encode(JSON.stringify(event))
  expect(deliveries).toEqual([{ event, body, bodySha256: createHash('sha256').update(body).digest('hex') }])
})

it('answers 401 with the reason for an invalid signature, and stores nothing', async () => {
  const record = vi.fn()
  const { receive, errors } = createKit({ store: { record } })
  const good = await incoming(event)
  const { headers: old } = await signCallback(event, { secret, now: new Date(0) })
  const { headers: foreign } = await signCallback(event, { secret: 'other', now })
  expect(await receive({ headers: { 'content-type': 'application/json' } })).toMatchObject({
    status: 401,
    outcome: 'missing_header',
  })
  expect(await receive({ ...good, headers: old })).toMatchObject({ status: 401, outcome: 'too_old' })
  expect(await receive({ ...good, headers: foreign })).toMatchObject({ status: 401, outcome: 'wrong_signature' })
  expect(errors).toEqual([expect.any(SignatureError), expect.any(SignatureError), expect.any(SignatureError)])
  expect(record).not.toHaveBeenCalled()
})

it('accepts either secret while one is being rotated', async () => {
  const { receive } = createKit({ secret: ['next-secret', secret] })
  expect(await receive()).toMatchObject({ status: 200 })
})

it('[CB-37] answers 400 for a signed body that is not an event or has another event ID', async () => {
  const { receive } = createKit()
  expect(await receive(await incoming({ event_id: 'evt_1' }))).toMatchObject({ status: 400, outcome: 'malformed_body' })
  const body = new TextEncoder().encode(JSON.stringify(event))
  const headers = { ...(await signedHeaders({ id: 'evt_2', body, secret, now })) }
  expect(await receive({ headers, readBody: async () => body })).toMatchObject({ status: 400, outcome: 'id_mismatch' })
})

it.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'post'])('answers 405 to %s without reading the body', async (method) => {
  const readBody = vi.fn()
  expect(await createKit().receive({ method, readBody })).toMatchObject({
    status: 405,
    headers: { allow: 'POST' },
    outcome: 'method_not_allowed',
  })
  expect(readBody).not.toHaveBeenCalled()
})

it.each(['text/plain', 'application/jsonp', 'application/problem+json', ''])('answers 415 to %j', async (type) => {
  const { headers } = await signCallback(event, { secret, now })
  const reply = await createKit().receive({ headers: { ...headers, 'content-type': type } })
  expect(reply).toMatchObject({ status: 415, outcome: 'unsupported_media_type' })
})

it.each(['application/json; charset=utf-8', 'Application/JSON'])('accepts %j', async (type) => {
  const { headers } = await signCallback(event, { secret, now })
  expect(await createKit().receive({ headers: { ...headers, 'content-type': type } })).toMatchObject({ status: 200 })
})

it('answers 413 to a body above its limit, without reading it if its length is announced', async () => {
  const { headers, body } = await signCallback(event, { secret, now })
  const readBody = vi.fn(async () => body)
  const exactly = createKit({ maxBodyBytes: body.length })
  expect(await exactly.receive({ headers, readBody })).toMatchObject({ status: 200 })
  const { receive } = createKit({ maxBodyBytes: body.length - 1 })
  expect(await receive({ headers, readBody })).toMatchObject({ status: 413, outcome: 'payload_too_large' })
  expect(await receive({ headers, readBody: async () => undefined })).toMatchObject({ status: 413 })
  readBody.mockClear()
  const announced = { ...headers, 'content-length': String(body.length) }
  expect(await receive({ headers: announced, readBody })).toMatchObject({ status: 413 })
  expect(readBody).not.toHaveBeenCalled()
})

it('answers 500 and tells the developer what to do when something parsed the body first', async () => {
  const { receive, errors } = createKit()
  const message = 'Put the callback route before the parser.'
  const readBody = () => Promise.reject(new SignatureError('parsed_body', message))
  expect(await receive({ readBody })).toMatchObject({ status: 500, outcome: 'parsed_body', message })
  expect(errors).toEqual([expect.any(SignatureError)])
})

it('still answers when the error listener throws or rejects', async () => {
  const unhandled = collectUnhandled()
  const fault = new Error('logger is down')
  const fail = (): void => {
    throw fault
  }
  for (const onError of [fail, async () => fail()])
    expect(await createKit({ onError }).receive({ method: 'GET' })).toMatchObject({ status: 405 })
  expect(await unhandled()).toEqual([])
})

it.each([['' as const], [[]], [['a', '']]])('is not created without a secret: %j', (none) => {
  expect(() => createReceiver({ secret: none, store: memoryCallbackStore() })).toThrow(/no secret/)
})
