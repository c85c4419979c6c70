import type { DeliveryList } from '@conversation-gateway/openapi/generated/admin-closed'
import { afterAll, expect, it } from 'vitest'
import { createSweeps } from '../../src/gateway/retention.ts'
import type { Statement } from '../../src/store/db.ts'
import { eventually } from '../support/client.ts'
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

const DAY_MS = 24 * 3_600_000

onGateways(
  'Records of deliveries',
  (gateway) => {
    const list = (query: string) => gateway.operator.request<DeliveryList>('GET', `/admin/v1/deliveries?${query}`)

    it('show the event, the state, the attempts and the last error [ADMIN-09, CB-35, GEN-25, LIMIT-08]', async () => {
      const callback = await newCallback(gateway, receiver)
      receiver.answer(callback.path, status(404, {}, 'nobody here'))
      const conversationId = await newConversation(gateway)
      const runId = await runToEnd(gateway, conversationId)
      const delivery = await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'needs_action')
      const now = gateway.clock.now()
      expect(delivery).toEqual({
        delivery_id: expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
        callback_id: expect.stringMatching(/^cb_[0-9a-f]{32}$/),
        callback_version: 1,
        app_id: 'app_test',
        conversation_id: conversationId,
        event_id: expect.stringMatching(/^[\x21-\x7e]{1,128}$/),
        event_type: 'run.completed',
        seq: expect.any(Number),
        state: 'needs_action',
        attempts: 1,
        last_error: { message: 'The receiver answered 404.', status: 404 },
        next_attempt_at: null,
        expires_at: new Date(now.getTime() + DAY_MS).toISOString(),
        created_at: now.toISOString(),
        updated_at: now.toISOString(),
      })
      expect(receiver.at(callback.path)[0]?.headers['webhook-id']).toBe(delivery.event_id)
      expect(await readDelivery(gateway, delivery.delivery_id)).toEqual({
        ...delivery,
        attempt_log: [
          {
            attempt: 1,
            started_at: now.toISOString(),
            latency_ms: expect.any(Number),
            status: 404,
            error: 'The receiver answered 404.',
            excerpt: 'nobody here',
          },
        ],
        run_id: runId,
        url: `${receiver.origin}${callback.path}`,
        has_body: true,
        body: null,
      })
      expect((await gateway.operator.request('GET', '/admin/v1/deliveries/dlv_none')).status).toBe(404)
    })

    it('are listed newest first and page by page, filtered by application, configuration and state [ADMIN-09]', async () => {
      const [callback, other] = [await newCallback(gateway, receiver), await newCallback(gateway, receiver)]
      receiver.answer(callback.path, status(400))
      for (let n = 0; n < 5; n += 1) {
        gateway.clock.pass(1000)
        await runToEnd(gateway, await newConversation(gateway))
      }
      await eventually(
        () => deliveriesOf(gateway, callback.callback_id),
        (all) => all.length === 5 && all.every(({ state }) => state === 'needs_action'),
      )
      const ids: string[] = []
      for (let before = ''; ; before = `&before=${ids.at(-1)}`) {
        const { body } = await list(
          `callback_id=${callback.callback_id}&app_id=app_test&state=needs_action&limit=2${before}`,
        )
        if (body.deliveries.length === 0) break
        ids.push(...body.deliveries.map(({ delivery_id }) => delivery_id))
      }
      expect(ids).toEqual((await deliveriesOf(gateway, callback.callback_id)).map(({ delivery_id }) => delivery_id))
      expect(ids).toEqual([...ids].sort().reverse())
      expect((await list(`callback_id=${other.callback_id}&state=needs_action`)).body.deliveries).toEqual([])
      expect((await list('app_id=app_other')).body.deliveries).toEqual([])
      expect((await list('before=dlv_none')).status).toBe(404)
      expect((await list('state=lost')).status).toBe(400)
    })

    it('outlive their payload, cannot be retried without it, and are removed after 30 days [CB-33, ERR-37]', async () => {
      const callback = await newCallback(gateway, receiver)
      receiver.answer(callback.path, status(404))
      await runToEnd(gateway, await newConversation(gateway))
      const { delivery_id } = await deliveryWhen(gateway, callback.callback_id, ({ state }) => state === 'needs_action')
      const sweep = async () => {
        for (const each of createSweeps(gateway.gateway.context)) await each.run(new AbortController().signal)
      }
      const retry = () =>
        gateway.operator.request<{ code?: string; detail?: string }>(
          'POST',
          `/admin/v1/deliveries/${delivery_id}/retry`,
        )
      gateway.clock.pass(7 * DAY_MS)
      await sweep()
      gateway.clock.pass(1)
      await sweep()
      expect(await retry()).toMatchObject({
        status: 409,
        body: { code: 'RETRY_REFUSED', detail: expect.stringContaining('retained') },
      })
      gateway.clock.pass(23 * DAY_MS)
      await sweep()
      expect((await retry()).status).toBe(404)
      const left: Statement = {
        name: 'test_attempts_left',
        access: 'read',
        text: 'select count(*) as n from delivery_attempts where delivery_id = $1',
      }
      expect(await gateway.gateway.context.db.query(left, [delivery_id])).toEqual([{ n: 0 }])
    })

    it('are counted by state on /metrics, and attempts by the state that the delivery has after them', async () => {
      const callback = await newCallback(gateway, receiver)
      receiver.answer(callback.path, status(503))
      await runToEnd(gateway, await newConversation(gateway))
      await deliveryWhen(gateway, callback.callback_id, ({ state, attempts }) => state === 'pending' && attempts === 1)
      const text = String((await gateway.operator.request('GET', '/metrics')).body)
      expect(text).toMatch(/^gateway_deliveries\{state="pending"\} [1-9]/m)
      expect(text).toMatch(/^gateway_callback_attempt_seconds_count\{state="pending"\} [1-9]/m)
    })

    it('are cancelled by a changed configuration, even if an attempt is in progress and then fails [CB-48]', async () => {
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
  },
  sendingTo(receiver),
)
