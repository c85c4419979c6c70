import { MAX_ATTEMPTS, RETRY_DELAYS_MS } from '@conversation-gateway/openapi/behaviour/retry-schedule'
import { afterAll, describe, expect, it } from 'vitest'
import { verifySignature } from '../../src/domain/webhook-signature.ts'
import { script } from '../support/client.ts'
import type { ReceivedCallback } from '../support/receiver.ts'
import { startReceiver, status } from '../support/receiver.ts'
import { onGateways } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'
import { deliveryWhen, newCallback, newConversation, readDelivery, runToEnd, sendingTo } from './support.ts'

const receiver = await startReceiver()
afterAll(() => receiver.close())

const _HOUR_MS = 3_600_000

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
