import { afterEach, expect, expectTypeOf, it } from 'vitest'
import { verifySignature } from '../../src/signature/verify.ts'
import type { Decision } from '../../src/transport/decision-report.ts'
import {
  ApiError,
  createWebhookSender,
  NotSentError,
  UnknownDeliveryError,
  type WebhookAcceptance,
  type WebhookHandle,
  type WebhookSenderOptions,
} from '../../src/webhooks/index.ts'
import { createPromptTiming } from './support/prompt-timing.ts'
import {
  type Answer,
  answer,
  cut,
  cutInside,
  html,
  refuse,
  startWebhookGateway,
  type WebhookGateway,
} from './support/webhook-gateway.ts'

const secret = 'webhook-secret'
const ATTEMPT_TIMEOUT_MS = 5_000
const admission = {
  conversation_id: 'conv_1',
  generation: 1,
  message_id: 'msg_1',
  run_id: 'run_1',
  state: 'queued',
  event_cursor: 1,
}
const accept = answer(202, admission)
/** Asks the sender to wait beyond its deadline. */
const busyForLong = refuse(503, 'CAPABILITY_UNAVAILABLE', { 'retry-after': '600' })
const event = { type: 'order.question', text: 'Grüße 🙂' }

const gateways: WebhookGateway[] = []
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()))
})

/** A sender to a gateway that plays these answers. */
const start = async (answers: readonly Answer[], options: Partial<WebhookSenderOptions> = {}) => {
  const gateway = await startWebhookGateway(answers)
  gateways.push(gateway)
  const timing = createPromptTiming(ATTEMPT_TIMEOUT_MS)
  const decisions: Decision[] = []
  const settings = {
    url: gateway.webhookUrl,
    secret,
    timing,
    attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
    onDecision: (decision: Decision) => decisions.push(decision),
    ...options,
  }
  return { gateway, timing, decisions, settings, sender: createWebhookSender(settings) }
}

it("sends a signed event and returns the gateway's admission", async () => {
  const { gateway, timing, sender } = await start([accept])
  const acceptance = await sender.send(event)
  expectTypeOf(acceptance).toEqualTypeOf<WebhookAcceptance>()
  expect(acceptance).toEqual(admission)
  const [request] = gateway.received
  if (request === undefined) throw new Error('nothing was received')
  expect(JSON.parse(request.body.toString())).toEqual(event)
  const verified = await verifySignature({ ...request, secret, now: new Date(timing.now()) })
  expect(verified.id).toMatch(/^evt_[0-9a-f-]{36}$/)
  expect(request.headers['content-type']).toBe('application/json')
})

it('returns the raw response beside the data', async () => {
  const { sender } = await start([cut, answer(202, admission, { 'idempotency-replayed': 'true' })])
  expect(await sender.send(event).withResponse()).toMatchObject({
    data: admission,
    requestId: 'req_1',
    attempts: 2,
    replayed: true,
    response: expect.any(Response),
  })
})

it.each([
  ['a cut connection', cut],
  ['an answer that is cut off', cutInside],
  ['a page of a proxy with 200', html(200)],
  ['a page of a proxy with 502', html(502)],
  ['408', html(408)],
  ['429', refuse(429, 'PENDING_LIMIT')],
  ['500', refuse(500, 'INTERNAL')],
  ['503', refuse(503, 'CAPABILITY_UNAVAILABLE')],
])('[SIG-16] sends the event again after %s: same ID, same bytes', async (_name, trouble) => {
  const { gateway, sender } = await start([trouble, trouble, accept])
  expect(await sender.send(event, { id: 'order-1' })).toEqual(admission)
  expect(gateway.received).toHaveLength(3)
  expect(new Set(gateway.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['order-1']))
  expect(new Set(gateway.received.map(({ body }) => body.toString('hex'))).size).toBe(1)
})

it('[SIG-17] signs every attempt separately, so that an attempt ten minutes later has a valid timestamp', async () => {
  const { gateway, sender } = await start([busyForLong, accept], {
    timeoutMs: 3_600_000,
  })
  await sender.send(event)
  const times = gateway.received.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(times[1]).toBe((times[0] ?? 0) + 600)
  for (const { headers, body } of gateway.received) {
    const now = new Date(Number(headers['webhook-timestamp']) * 1000)
    await verifySignature({ headers, body, secret, now })
  }
})

it.each([
  [400, 'INVALID_REQUEST'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'WEBHOOK_CONFLICT'],
  [409, 'GENERATION_CONFLICT'],
  [409, 'BUSY'],
  [413, 'PAYLOAD_TOO_LARGE'],
  [415, 'UNSUPPORTED_MEDIA_TYPE'],
])('never sends again after %i %s, and reports that the event had no effect', async (status, code) => {
  const { gateway, decisions, sender } = await start([refuse(status, code)])
  const outcome = await sender.send(event).outcome()
  expect(outcome).toMatchObject({ kind: 'refused', error: { name: 'ApiError', status, code, requestId: 'req_1' } })
  expect(gateway.received).toHaveLength(1)
  expect(decisions).toEqual([])
  await expect(sender.send(event)).rejects.toBeInstanceOf(ApiError)
})

it('gives up when the next attempt would be after its deadline, and reports an unknown outcome', async () => {
  const { gateway, decisions, sender } = await start([cut, cut, busyForLong])
  const outcome = await sender.send(event, { id: 'order-1' }).outcome()
  expect(outcome).toMatchObject({
    kind: 'unknown',
    handle: {
      version: 1,
      url: gateway.webhookUrl,
      id: 'order-1',
      body: JSON.stringify(event),
      createdAt: '2026-01-01T00:00:00.000Z',
      resendBefore: '2026-01-08T00:00:00.000Z',
    },
  })
  expect(gateway.received).toHaveLength(3)
  expect(decisions.at(-1)).toMatchObject({ kind: 'give-up', attempts: 3, status: 503 })
  expect(JSON.stringify(outcome)).not.toContain(secret)
})

it('reports that the event had no effect when every answer was a transient refusal', async () => {
  const { sender } = await start([busyForLong])
  expect(await sender.send(event).outcome()).toMatchObject({ kind: 'refused', error: { status: 503 } })
})

it('reports an unknown outcome after a lost answer unless the refusal rules out an earlier acceptance', async () => {
  const { sender } = await start([cut, refuse(401, 'UNAUTHENTICATED')])
  expect(await sender.send(event).outcome()).toMatchObject({ kind: 'unknown' })
  const { sender: other } = await start([cut, refuse(409, 'GENERATION_CONFLICT')])
  expect(await other.send(event).outcome()).toMatchObject({ kind: 'refused' })
})

const lose = async (): Promise<WebhookHandle> => {
  const { sender } = await start([cut, busyForLong])
  const error: unknown = await sender.send(event, { id: 'order-1' }).catch((reason: unknown) => reason)
  if (error instanceof UnknownDeliveryError) return error.handle
  throw new Error('not unknown', { cause: error })
}

it('[HOOK-35] finishes an event of unknown outcome from its handle, in another process and with a rotated secret', async () => {
  const { gateway, timing, settings } = await start([answer(202, admission, { 'idempotency-replayed': 'true' })])
  const handle: WebhookHandle = JSON.parse(JSON.stringify({ ...(await lose()), url: gateway.webhookUrl }))
  timing.advance(3_600_000)
  const sender = createWebhookSender({ ...settings, secret: 'rotated-secret' })
  expect(await sender.resend(handle).outcome()).toMatchObject({ kind: 'accepted', data: admission, replayed: true })
  const [request] = gateway.received
  if (request === undefined) throw new Error('nothing was received')
  const verified = await verifySignature({ ...request, secret: 'rotated-secret', now: new Date(timing.now()) })
  expect(verified.id).toBe('order-1')
  expect(request.body.toString()).toBe(JSON.stringify(event))
})

it('still reports an unknown outcome when a replay is refused before the gateway looks up the ID', async () => {
  const { gateway, sender } = await start([refuse(401, 'UNAUTHENTICATED')])
  const outcome = await sender.resend({ ...(await lose()), url: gateway.webhookUrl }).outcome()
  expect(outcome).toMatchObject({ kind: 'unknown', handle: { id: 'order-1' } })
})

it('does not send an event again after its replay window, or to another webhook', async () => {
  const { gateway, timing, sender } = await start([accept])
  const handle = await lose()
  expect(() => sender.resend(handle)).toThrow(/another receiving URL/)
  timing.advance(7 * 24 * 3_600_000)
  const late = sender.resend({ ...handle, url: gateway.webhookUrl })
  await expect(late).rejects.toBeInstanceOf(NotSentError)
  expect(gateway.received).toEqual([])
})

it('reports an aborted event as not sent before the first attempt, and as of unknown outcome after it', async () => {
  const { gateway, sender } = await start([accept])
  const early = await sender.send(event, { signal: AbortSignal.abort() }).outcome()
  expect(early).toMatchObject({ kind: 'refused', error: { name: 'NotSentError' } })
  expect(gateway.received).toEqual([])

  const controller = new AbortController()
  const { sender: other } = await start([() => controller.abort()])
  const late = await other.send(event, { signal: controller.signal }).outcome()
  expect(late).toMatchObject({ kind: 'unknown', handle: { body: JSON.stringify(event) } })
})

it('sends bytes unchanged', async () => {
  const { gateway, sender } = await start([cut, accept])
  const bytes = new TextEncoder().encode('\ufeff{ "text" : "Grüße" }\r\n')
  await sender.send(bytes)
  expect(gateway.received.map(({ body }) => new Uint8Array(body))).toEqual([bytes, bytes])
})

it('refuses an invalid event before it sends anything', async () => {
  const { gateway, sender } = await start([accept])
  const sendAnything = (body: unknown) => () => Reflect.apply(sender.send, sender, [body])
  for (const body of ['{}', [], null, 1, undefined]) expect(sendAnything(body)).toThrow(/JSON object/)
  expect(sendAnything(Uint8Array.of(0xff))).toThrow(/not UTF-8/)
  for (const id of ['', 'order 1', 'x'.repeat(129), 'é']) {
    expect(() => sender.send(event, { id })).toThrow(/1-128 printable ASCII/)
  }
  expect(gateway.received).toEqual([])
})
