import { MAX_ATTEMPTS, RETRY_DELAYS_MS } from '@conversation-gateway/openapi/behaviour/retry-schedule'
import { afterAll, describe, expect, it } from 'vitest'
import { verifySignature } from '../../src/domain/webhook-signature.ts'
import { eventually, script } from '../support/client.ts'
import type { ReceivedCallback } from '../support/receiver.ts'
import { startReceiver, status } from '../support/receiver.ts'
import { onGateways } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'
import {
  deliveriesOf,
  deliveryWhen,
  newCallback,
  newConversation,
  readDelivery,
  runToEnd,
  sendingTo,
} from './support.ts'

const receiver = await startReceiver()
afterAll(() => receiver.close())

const HOUR_MS = 3_600_000

const envelopes = (received: readonly ReceivedCallback[]) => received.map(({ body }) => JSON.parse(body.toString()))

onGateways(
  'Callbacks',
  (gateway) => {
    describe('a delivery', () => {
      it('is a POST of the event envelope, byte for byte as the stream has it, signed with the secret [CB-01, CB-10, CB-15, CB-16, CB-17, CB-18, CB-20, SIG-05, SIG-07, SIG-08, SIG-23]', async () => {
        const callback = await newCallback(gateway, receiver)
        const conversationId = await newConversation(gateway)
        await runToEnd(gateway, conversationId, [script({ succeed: { text: 'schön "gesagt"\u2028' } })])
        await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'delivered')
        const [request] = receiver.at(callback.path)
        if (request === undefined) throw new Error('nothing came')
        const stream = await gateway.client().events(conversationId, { after: 0 })
        const events = await stream.until((all) => all.some(({ type }) => type === 'run.completed'))
        const event = events.find(({ type }) => type === 'run.completed')
        stream.close()
        const data = stream
          .text()
          .split('\n')
          .find((line) => line.includes('"type":"run.completed"'))
        expect(`data: ${request.body.toString()}`).toBe(data)
        expect(request.method).toBe('POST')
        expect(request.headers).toMatchObject({
          'content-type': 'application/json',
          'content-length': String(request.body.byteLength),
          'webhook-id': event?.event_id,
        })
        expect(JSON.parse(request.body.toString()).payload.result.text).toBe('schön "gesagt"\u2028')
        const header = (name: string): string[] =>
          request.rawHeaders.flatMap((value, index, all) =>
            all[index - 1]?.toLowerCase() === name && index % 2 === 1 ? [value] : [],
          )
        const headers = {
          id: header('webhook-id'),
          timestamp: header('webhook-timestamp'),
          signature: header('webhook-signature'),
        }
        expect(verifySignature(headers, request.body, callback.secret, gateway.clock.now())).toEqual({
          ok: true,
          id: event?.event_id,
        })
        expect(verifySignature(headers, request.body, `${callback.secret}x`, gateway.clock.now()).ok).toBe(false)
      })

      it('carries the error of a failed run in payload.error [CB-21]', async () => {
        const callback = await newCallback(gateway, receiver)
        await runToEnd(gateway, await newConversation(gateway), [
          script({ fail: { code: 'NO_STOCK', message: 'Nothing left.' } }),
        ])
        await untilHolds(() => expect(receiver.at(callback.path)).toHaveLength(1))
        expect(envelopes(receiver.at(callback.path))[0]).toMatchObject({
          type: 'run.failed',
          payload: { error: { code: 'NO_STOCK' } },
        })
      })

      it('goes to the configurations of the application and device that want the type, and to no others [CB-02, CB-04, CB-05, CB-41, EVT-35]', async () => {
        const wanting = await newCallback(gateway, receiver, { endpoint_id: 'ep_echo', events: ['run.completed'] })
        const others = await Promise.all([
          newCallback(gateway, receiver, { events: ['run.failed', 'approval.required'] }),
          newCallback(gateway, receiver, { enabled: false }),
          newCallback(gateway, receiver, { endpoint_id: 'ep_second' }),
          newCallback(gateway, receiver, { app_id: 'app_other', endpoint_id: 'ep_other' }),
        ])
        await runToEnd(gateway, await newConversation(gateway))
        await deliveryWhen(gateway, wanting.callback_id, ({ state }) => state === 'delivered')
        for (const { callback_id } of others) expect(await deliveriesOf(gateway, callback_id)).toEqual([])
        expect(await deliveriesOf(gateway, wanting.callback_id)).toHaveLength(1)
      })
    })

    describe('an attempt that fails', () => {
      it('is repeated with the same bytes under a fresh timestamp and signature [CB-24, CB-55, SIG-14, SIG-15]', async () => {
        const callback = await newCallback(gateway, receiver)
        receiver.answer(callback.path, status(503, {}, 'later'))
        await runToEnd(gateway, await newConversation(gateway))
        const failed = await deliveryWhen(
          gateway,
          callback.callback_id,
          ({ attempts, state }) => attempts === 1 && state === 'pending',
        )
        expect(failed.last_error).toEqual({ message: 'The receiver answered 503.', status: 503 })
        receiver.answer(callback.path, status(200))
        gateway.clock.pass(6000)
        const delivered = await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'delivered')
        expect(delivered).toMatchObject({ attempts: 2, last_error: null, next_attempt_at: null })
        const [first, second] = receiver.at(callback.path)
        expect(second?.body).toEqual(first?.body)
        expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
        expect(Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp'])).toBe(6)
        expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
        expect((await readDelivery(gateway, delivered.delivery_id)).attempt_log).toMatchObject([
          { attempt: 2, status: 200, error: null },
          { attempt: 1, status: 503, error: 'The receiver answered 503.', excerpt: 'later' },
        ])
      })

      it.each([408, 425, 429, 500, 502, 503, 599])('with %i is retried [CB-24]', async (code) => {
        const callback = await newCallback(gateway, receiver)
        receiver.answer(callback.path, status(code))
        await runToEnd(gateway, await newConversation(gateway))
        const { last_error } = await deliveryWhen(
          gateway,
          callback.callback_id,
          ({ attempts, state }) => attempts === 1 && state === 'pending',
        )
        expect(last_error?.status).toBe(code)
        await gateway.operator.request('PATCH', `/admin/v1/callbacks/${callback.callback_id}`, {
          body: { enabled: false },
        })
      })

      it.each([300, 301, 302, 303, 307, 308, 304, 400, 401, 404, 410, 422])(
        'with %i needs action and is not repeated [CB-14, CB-26]',
        async (code) => {
          const callback = await newCallback(gateway, receiver)
          const elsewhere = `/elsewhere${callback.path}`
          receiver.answer(callback.path, status(code, { location: `${receiver.origin}${elsewhere}` }))
          await runToEnd(gateway, await newConversation(gateway))
          await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'needs_action')
          gateway.clock.pass(7 * HOUR_MS)
          await runToEnd(gateway, await newConversation(gateway))
          await eventually(
            () => deliveriesOf(gateway, callback.callback_id),
            (all) => all.filter(({ state }) => state === 'needs_action').length === 2,
          )
          expect(receiver.at(callback.path)).toHaveLength(2)
          expect(receiver.at(elsewhere)).toEqual([])
        },
      )

      it('waits at least as long as Retry-After asks, in seconds or as a date [CB-25, CB-51]', async () => {
        for (const retryAfter of [
          '600',
          new Date(Math.ceil(gateway.clock.now().getTime() / 1000) * 1000 + 600_000).toUTCString(),
        ]) {
          const callback = await newCallback(gateway, receiver)
          receiver.answer(callback.path, status(429, { 'retry-after': retryAfter }))
          const before = gateway.clock.now().getTime()
          await runToEnd(gateway, await newConversation(gateway))
          const { next_attempt_at } = await deliveryWhen(
            gateway,
            callback.callback_id,
            ({ attempts, state }) => attempts === 1 && state === 'pending',
          )
          expect(Date.parse(next_attempt_at ?? '') - before).toBeGreaterThanOrEqual(600_000)
        }
      })

      it('expires at once where Retry-After leads out of the window [CB-49]', async () => {
        const callback = await newCallback(gateway, receiver)
        receiver.answer(callback.path, status(503, { 'retry-after': String(25 * 3600) }))
        await runToEnd(gateway, await newConversation(gateway))
        expect(await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'expired')).toMatchObject({
          attempts: 1,
          next_attempt_at: null,
        })
      })

      it('is made eight times on schedule within 24 hours and then expires [CB-27, CB-29, CB-30, CB-50]', async () => {
        const callback = await newCallback(gateway, receiver)
        receiver.answer(callback.path, status(500))
        await runToEnd(gateway, await newConversation(gateway))
        for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
          const at = gateway.clock.now().getTime()
          const { next_attempt_at } = await deliveryWhen(
            gateway,
            callback.callback_id,
            ({ attempts, state }) => attempts === index + 1 && state === 'pending',
          )
          const waitMs = Date.parse(next_attempt_at ?? '') - at
          expect(waitMs).toBeGreaterThanOrEqual(delayMs * 0.9)
          expect(waitMs).toBeLessThanOrEqual(delayMs * 1.1)
          gateway.clock.pass(waitMs)
        }
        const expired = await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'expired')
        expect(expired.attempts).toBe(MAX_ATTEMPTS)
        expect(receiver.at(callback.path)).toHaveLength(MAX_ATTEMPTS)
      })
    })

    describe('deliveries of one conversation', () => {
      it('arrive in order of seq, and one that is being retried holds up none [CB-64, CB-65]', async () => {
        const callback = await newCallback(gateway, receiver)
        const conversationId = await newConversation(gateway)
        receiver.answer(callback.path, status(503))
        await runToEnd(gateway, conversationId)
        await deliveryWhen(
          gateway,
          callback.callback_id,
          ({ attempts, state }) => attempts === 1 && state === 'pending',
        )
        receiver.answer(callback.path, status(200))
        await runToEnd(
          gateway,
          conversationId,
          Array.from({ length: 5 }, () => script({ succeed: {} })),
        )
        await eventually(
          () => deliveriesOf(gateway, callback.callback_id),
          (all) => all.filter(({ state }) => state === 'delivered').length === 5,
        )
        const seqs = envelopes(receiver.at(callback.path)).map(({ seq }) => seq)
        expect(seqs).toHaveLength(6)
        expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
      })

      it('wait while the first attempt of an earlier one is under way [CB-64]', async () => {
        const callback = await newCallback(gateway, receiver)
        const conversationId = await newConversation(gateway)
        const held: (() => void)[] = []
        receiver.answer(callback.path, (response) => {
          held.push(() => void response.writeHead(200).end())
        })
        await runToEnd(gateway, conversationId, [script({ succeed: {} }), script({ succeed: {} })])
        const other = await newConversation(gateway)
        await runToEnd(gateway, other)
        await untilHolds(() => expect(receiver.at(callback.path)).toHaveLength(2))
        expect(
          envelopes(receiver.at(callback.path))
            .map(({ conversation_id }) => conversation_id)
            .sort(),
        ).toEqual([conversationId, other].sort())
        for (const release of held) release()
        await untilHolds(() => expect(receiver.at(callback.path)).toHaveLength(3))
        held.at(-1)?.()
      })
    })
  },
  sendingTo(receiver),
)
