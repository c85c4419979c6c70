import type {
  Callback,
  SavedCallback,
  SavedWebhook,
  Webhook,
} from '@conversation-gateway/openapi/generated/admin-closed'
import { afterAll, expect, it } from 'vitest'
import { verifySignature } from '../../src/domain/webhook-signature.ts'
import { deliveryWhen, newCallback, newConversation, runToEnd, sendingTo } from '../callbacks/support.ts'
import type { ReceivedCallback } from '../support/receiver.ts'
import { startReceiver, status } from '../support/receiver.ts'
import { onGateways } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'
import { createIntegration, deliver, question } from '../support/webhook-sender.ts'

const HOUR_MS = 3_600_000

const receiver = await startReceiver()
afterAll(() => receiver.close())

onGateways(
  'rotating the secret of an integration',
  (gateway) => {
    const path = (id: string): string => `/admin/v1/webhooks/${id}`
    const rotate = (id: string, query: string) =>
      gateway.operator.request<SavedWebhook>('POST', `${path(id)}/rotate-secret${query}`)
    const expiry = async (id: string) =>
      (await gateway.operator.request<Webhook>('GET', path(id))).body.previous_secret_expires_at

    it('with an overlap lets both secrets count until it ends [HOOK-73]', async () => {
      const integration = await createIntegration(gateway)
      const { integration_id: id } = integration
      const until = new Date(gateway.clock.now().getTime() + HOUR_MS).toISOString()
      const { status: rotated, body } = await rotate(id, '?overlap_seconds=3600')
      expect([rotated, body.previous_secret_expires_at, await expiry(id)]).toEqual([200, until, until])
      // After an hour the device may not have been heard of yet, which is another refusal.
      const believed = async () =>
        Promise.all(
          [integration.secret, body.secret, 'whsec_neither'].map(
            async (secret) => (await deliver(gateway, body, question(), { secret })).status !== 401,
          ),
        )
      expect((await deliver(gateway, integration, question())).status).toBe(202)
      gateway.clock.pass(HOUR_MS - 1)
      expect(await believed()).toEqual([true, true, false])
      gateway.clock.pass(1)
      expect(await believed()).toEqual([false, true, false])
      expect(await expiry(id)).toBeNull()
    })

    it('once more leaves the two newest at most, and without an overlap the new one alone [HOOK-73, HOOK-34]', async () => {
      const first = await createIntegration(gateway)
      const id = first.integration_id
      const second = (await rotate(id, '?overlap_seconds=86400')).body
      const third = (await rotate(id, '?overlap_seconds=86400')).body
      const statuses = async () =>
        Promise.all([first, second, third].map(async (it) => (await deliver(gateway, it, question())).status))
      expect(await statuses()).toEqual([401, 202, 202])
      const fourth = (await rotate(id, '')).body
      expect(await statuses()).toEqual([401, 401, 401])
      expect([fourth.previous_secret_expires_at, (await deliver(gateway, fourth, question())).status]).toEqual([
        null,
        202,
      ])
    })

    it('keeps the old secret from callbacks as long as it counts', async () => {
      const integration = await createIntegration(gateway)
      await rotate(integration.integration_id, '?overlap_seconds=60')
      const wanted = { app_id: 'app_test', endpoint_id: 'ep_script', url: receiver.origin, events: ['run.failed'] }
      const { status: answered } = await gateway.operator.request('POST', '/admin/v1/callbacks', {
        body: { ...wanted, secret: integration.secret },
      })
      expect(answered).toBe(400)
    })

    it.each(['86401', '-1', '1.5', 'soon'])('refuses an overlap of %s seconds [HOOK-73]', async (overlap) => {
      const { integration_id: id } = await createIntegration(gateway)
      expect((await rotate(id, `?overlap_seconds=${overlap}`)).status).toBe(400)
    })
  },
  sendingTo(receiver),
)

onGateways(
  'rotating the secret of a configuration',
  (gateway) => {
    const rotate = async (id: string, query: string) =>
      (await gateway.operator.request<SavedCallback>('POST', `/admin/v1/callbacks/${id}/rotate-secret${query}`)).body
    const isSignedWith = (secret: string, { headers, body }: ReceivedCallback): boolean => {
      const header = (name: string): string[] => [String(headers[`webhook-${name}`])]
      const given = { id: header('id'), timestamp: header('timestamp'), signature: header('signature') }
      return verifySignature(given, body, secret, gateway.clock.now()).ok
    }

    it('with an overlap signs with the old one until it ends, and cancels nothing [CB-66]', async () => {
      const callback = await newCallback(gateway, receiver)
      const { callback_id: id, path } = callback
      receiver.answer(path, status(503))
      const conversation = await newConversation(gateway)
      await runToEnd(gateway, conversation)
      await deliveryWhen(gateway, id, ({ state, attempts }) => state === 'pending' && attempts === 1)
      const rotated = await rotate(id, '?overlap_seconds=3600')
      expect(rotated).toMatchObject({
        version: 2,
        previous_secret_expires_at: new Date(gateway.clock.now().getTime() + HOUR_MS).toISOString(),
      })
      receiver.answer(path, status(204))
      gateway.clock.pass(6000)
      await deliveryWhen(gateway, id, ({ state }) => state === 'delivered')
      expect(receiver.at(path).map((received) => isSignedWith(callback.secret, received))).toEqual([true, true])
      gateway.clock.pass(HOUR_MS)
      await runToEnd(gateway, conversation)
      await untilHolds(() => expect(receiver.at(path)).toHaveLength(3))
      const [last] = receiver.at(path).slice(-1)
      if (last === undefined) throw new Error('nothing was received')
      expect([isSignedWith(callback.secret, last), isSignedWith(rotated.secret, last)]).toEqual([false, true])
      const shown = await gateway.operator.request<Callback>('GET', `/admin/v1/callbacks/${id}`)
      expect(shown.body.previous_secret_expires_at).toBeNull()
    })
  },
  sendingTo(receiver),
)
