import { afterAll, describe, expect, it } from 'vitest'
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
const DAY_MS = 24 * HOUR_MS

onGateways(
  'Callbacks that an operator sees to',
  (gateway) => {
    describe('a retry by hand', () => {
      const retry = (deliveryId: string) =>
        gateway.operator.request<{ code?: string }>('POST', `/admin/v1/deliveries/${deliveryId}/retry`)

      it('opens a fresh window of 24 hours and eight attempts for what needs action [CB-31, CB-46]', async () => {
        const callback = await newCallback(gateway, receiver)
        receiver.answer(callback.path, status(410))
        await runToEnd(gateway, await newConversation(gateway))
        const refused = await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'needs_action')
        gateway.clock.pass(3 * DAY_MS)
        receiver.answer(callback.path, status(503))
        const answer = await retry(refused.delivery_id)
        expect([answer.status, answer.body]).toMatchObject([
          202,
          { attempts: 0, expires_at: new Date(gateway.clock.now().getTime() + DAY_MS).toISOString() },
        ])
        await deliveryWhen(
          gateway,
          callback.callback_id,
          ({ state, attempts }) => state === 'pending' && attempts === 1,
        )
        expect((await retry(refused.delivery_id)).body.code).toBe('RETRY_REFUSED')
        receiver.answer(callback.path, status(200))
        gateway.clock.pass(6000)
        await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'delivered')
        expect((await readDelivery(gateway, refused.delivery_id)).attempt_log.map(({ attempt }) => attempt)).toEqual([
          3, 2, 1,
        ])
        expect([(await retry(refused.delivery_id)).status, (await retry('dlv_unknown')).status]).toEqual([409, 404])
      })

      it('is refused while the configuration is disabled, and after it has changed [CB-32]', async () => {
        const callback = await newCallback(gateway, receiver)
        const change = (body: unknown) =>
          gateway.operator.request('PATCH', `/admin/v1/callbacks/${callback.callback_id}`, { body })
        receiver.answer(callback.path, status(404))
        await runToEnd(gateway, await newConversation(gateway))
        const { delivery_id } = await deliveryWhen(
          gateway,
          callback.callback_id,
          ({ state }) => state === 'needs_action',
        )
        await change({ enabled: false })
        expect(await retry(delivery_id)).toMatchObject({ status: 409, body: { code: 'RETRY_REFUSED' } })
        await change({ enabled: true })
        receiver.answer(callback.path, status(200))
        expect((await retry(delivery_id)).status).toBe(202)
        await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'delivered')
        gateway.clock.pass(1000)
        receiver.answer(callback.path, status(404))
        await runToEnd(gateway, await newConversation(gateway))
        const next = await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'needs_action')
        await gateway.operator.request('POST', `/admin/v1/callbacks/${callback.callback_id}/rotate-secret`)
        expect(await retry(next.delivery_id)).toMatchObject({ status: 409, body: { code: 'RETRY_REFUSED' } })
      })
    })

    describe('a changed configuration', () => {
      it('also cancels what was being sent at that moment and failed [CB-48]', async () => {
        const callback = await newCallback(gateway, receiver)
        let release = (): void => {}
        receiver.answer(callback.path, (response) => {
          release = () => void response.writeHead(503).end()
        })
        await runToEnd(gateway, await newConversation(gateway))
        await untilHolds(() => expect(receiver.at(callback.path)).toHaveLength(1))
        await gateway.operator.request('PATCH', `/admin/v1/callbacks/${callback.callback_id}`, {
          body: { enabled: false },
        })
        await gateway.operator.request('PATCH', `/admin/v1/callbacks/${callback.callback_id}`, {
          body: { enabled: true },
        })
        expect(await deliveriesOf(gateway, callback.callback_id)).toMatchObject([{ state: 'sending' }])
        release()
        await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'cancelled_config_changed')
      })
    })
  },
  sendingTo(receiver),
)
