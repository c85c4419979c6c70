import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import {
  answeredWith,
  arrivalOf,
  arrivals,
  deliveryIn,
  FAILURE,
  finish,
  isSignedBy,
  observed,
  SUCCESS,
  waitsForRetry,
} from '../../../kit/steps/callbacks.ts'
import { expectRefused, granted } from '../../../kit/steps/refusals.ts'
import { sendAndEnd } from '../../../kit/steps/retention.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/**
 * Steps of the clock, in minutes. Each step is longer than the usual delay before the next attempt. All steps together
 * fit into the window of 24 hours, so a ninth attempt would be noticed.
 */
const STEPS_MINUTES = [0.5, 1, 4, 15, 45, 180, 400, 400, 300]
/** Rounds within which the gateway must remove expired data: six hours in total. */
const ROUNDS = 8
const ROUND_MS = 45 * MINUTE_MS
/** Moves of the clock after the twentieth hour. They end half an hour before the 24-hour window does. */
const LAST_STEPS = 14
const LAST_STEP_MS = 15 * MINUTE_MS
const needs = ['callbacks', 'driver.listDeliveries'] as const

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/eight-attempts',
    title: 'a delivery without a successful answer is attempted at most 8 times and then expires permanently',
    rules: ['CB-27', 'CB-30', 'LIMIT-19'],
    tags: ['limit', 'slow'],
    alone: 'all',
    needs: [...needs, 'driver.moveClock'],
    run: async (t) => {
      const conversation = await answeredWith(t, { status: 500 })
      const { conversation_id: id } = conversation
      for (const minutes of STEPS_MINUTES) {
        const before = await deliveryIn(t, conversation, ['pending', 'expired'], ({ attempts }) => attempts > 0)
        if (before.state === 'expired') break
        await t.driver.moveClock(minutes * MINUTE_MS)
        // The schedule is not specified: an attempt that has not arrived by now arrives in a later step.
        for (let round = 0; round < 3 && t.callbacks.requests(id).length <= before.attempts; round += 1) await t.quiet()
      }
      // With another schedule, the end of the window ends the remaining attempts.
      await t.driver.moveClock(24 * HOUR_MS)
      const expired = await deliveryIn(t, conversation, ['expired'])
      assert.ok(expired.attempts <= 8, `${expired.attempts} attempts are recorded`)
      const sent = t.callbacks.requests(id).length
      assert.ok(sent <= 8, `${sent} requests came`)
      assert.ok(sent >= 2, 'the delivery was not attempted again')
      await t.driver.moveClock(24 * HOUR_MS)
      const later = await observed(t)
      await sendAndEnd(t, later, SUCCESS)
      await deliveryIn(t, later, ['delivered'])
      assert.equal(t.callbacks.requests(id).length, sent, 'no request may follow after the delivery has expired')
    },
  },
  {
    id: 'callbacks/window-of-24-hours',
    title: 'attempts continue until late in the 24 hours after the event; after that, the delivery expires',
    rules: ['CB-27', 'CB-29', 'LIMIT-19'],
    tags: ['limit', 'slow'],
    alone: 'all',
    needs: [...needs, 'driver.moveClock'],
    run: async (t) => {
      const wait = { status: 503, headers: { 'retry-after': String(20 * 3600) } }
      const late = { status: 503, headers: { 'retry-after': String(23 * 3600) } }
      const [within, beyond] = await Promise.all([
        answeredWith(t, (attempt) => (attempt === 1 ? wait : { status: 200 })),
        answeredWith(t, (attempt) => (attempt === 1 ? late : { status: 503 })),
      ])
      for (const conversation of [within, beyond]) await waitsForRetry(t, conversation)
      await t.driver.moveClock(20 * HOUR_MS)
      const attempted = (): boolean => t.callbacks.requests(within.conversation_id).length > 1
      for (let step = 0; step < LAST_STEPS && !attempted(); step += 1) {
        await t.driver.moveClock(LAST_STEP_MS)
        await t.quiet()
      }
      await deliveryIn(t, within, ['delivered'])
      await t.driver.moveClock(2 * HOUR_MS)
      await t.quiet()
      const sent = t.callbacks.requests(beyond.conversation_id).length
      await t.driver.moveClock(24 * HOUR_MS)
      await deliveryIn(t, beyond, ['expired'])
      const after = t.callbacks.requests(beyond.conversation_id).length - sent
      // One attempt may have been due within the part of the window that the clock skipped.
      assert.ok(after <= 1, `${after} more requests arrived after the end of the window`)
    },
  },
  {
    id: 'callbacks/retry-of-the-expired',
    title: 'an expired delivery can be retried manually, and is attempted at once',
    rules: ['CB-31'],
    alone: 'all',
    needs: [...needs, 'driver.moveClock', 'driver.retryDelivery'],
    run: async (t) => {
      const wait = { status: 503, headers: { 'retry-after': String(23 * 3600) } }
      const conversation = await answeredWith(t, (attempt) => (attempt === 1 ? wait : { status: 200 }))
      t.callbacks.plan(conversation.conversation_id, wait)
      await waitsForRetry(t, conversation)
      await t.driver.moveClock(25 * HOUR_MS)
      const { deliveryId } = await deliveryIn(t, conversation, ['expired'])
      t.callbacks.plan(conversation.conversation_id, { status: 200 })
      granted(await t.driver.retryDelivery(deliveryId), 'the retry')
      await deliveryIn(t, conversation, ['delivered'])
    },
  },
  {
    id: 'callbacks/no-retry-while-disabled',
    title: 'a manual retry is refused while the configuration is disabled, and nothing is sent',
    rules: ['CB-32'],
    alone: 'all',
    needs: [...needs, 'driver.retryDelivery', 'driver.changeCallback'],
    run: async (t) => {
      const conversation = await answeredWith(t, (attempt) => ({ status: attempt === 1 ? 404 : 200 }))
      const { deliveryId } = await deliveryIn(t, conversation, ['needs_action'])
      await t.driver.changeCallback({ enabled: false })
      try {
        expectRefused(await t.driver.retryDelivery(deliveryId), 'the retry')
      } finally {
        await t.driver.changeCallback({ enabled: true })
      }
      const later = await observed(t)
      await finish(t, later)
      await deliveryIn(t, later, ['delivered'])
      assert.equal(t.callbacks.requests(conversation.conversation_id).length, 1)
    },
  },
  {
    id: 'callbacks/disabled-sends-nothing',
    title: 'a disabled configuration sends no event, and an enabled one does',
    rules: ['CB-05'],
    alone: 'all',
    needs: [...needs, 'driver.changeCallback'],
    run: async (t) => {
      const conversation = await observed(t)
      await t.driver.changeCallback({ enabled: false })
      try {
        await finish(t, conversation)
        await t.quiet()
        assert.equal(t.callbacks.requests(conversation.conversation_id).length, 0, 'an event was sent')
      } finally {
        await t.driver.changeCallback({ enabled: true })
      }
      await finish(t, conversation, FAILURE)
      await arrivalOf(t, conversation, 'run.failed')
    },
  },
  {
    id: 'callbacks/no-retry-without-payload',
    title: 'a manual retry is refused once the retention of the payload has ended',
    rules: ['CB-33'],
    tags: ['slow'],
    alone: 'all',
    needs: [...needs, 'driver.retryDelivery', 'driver.moveClock'],
    run: async (t) => {
      const expiring = await Promise.all(Array.from({ length: 2 * ROUNDS }, () => answeredWith(t, { status: 404 })))
      const retained = await answeredWith(t, (attempt) => ({ status: attempt === 1 ? 404 : 200 }))
      const deliveries = await Promise.all(
        expiring.map(async (conversation) => ({
          conversation,
          deliveryId: (await deliveryIn(t, conversation, ['needs_action'])).deliveryId,
        })),
      )
      const kept = await deliveryIn(t, retained, ['needs_action'])
      await t.driver.moveClock(6 * 24 * HOUR_MS)
      granted(await t.driver.retryDelivery(kept.deliveryId), 'a retry within 7 days')
      await deliveryIn(t, retained, ['delivered'])
      await t.driver.moveClock(25 * HOUR_MS)
      // Expired payloads may be removed at intervals. An accepted retry renews its delivery, so each delivery is
      // retried once.
      const isRefused = async (some: typeof deliveries): Promise<boolean> => {
        for (const { deliveryId, conversation } of some) {
          await t.quiet()
          if ((await t.driver.retryDelivery(deliveryId)).refused !== undefined) return true
          // A gateway that accepts a retry still has the payload, and must send it.
          await arrivals(t, conversation, 2)
          await t.driver.moveClock(ROUND_MS)
        }
        return false
      }
      if (await isRefused(deliveries.slice(0, ROUNDS))) return
      // The specification does not say when the retention of a payload ends: it is an event, which is kept for 7 days
      // (RET-01), and contains a result, which is kept for about 30 days (RET-02).
      assert.equal(t.profile, 'core', 'a retry is accepted although the retention of the event ended hours ago')
      await t.driver.moveClock(26 * 24 * HOUR_MS)
      assert.ok(
        await isRefused(deliveries.slice(ROUNDS)),
        'a retry is accepted although the retention of event and result has ended',
      )
    },
  },
  {
    id: 'callbacks/rotated-secret',
    title:
      'after a rotation undelivered events are cancelled and never sent, and new ones are signed with the new secret',
    rules: ['CB-28', 'CB-34'],
    tags: ['security'],
    alone: 'all',
    needs: [...needs, 'driver.rotateCallbackSecret', 'driver.moveClock'],
    run: async (t) => {
      const conversation = await answeredWith(t, (attempt) => ({ status: attempt === 1 ? 503 : 200 }))
      await waitsForRetry(t, conversation)
      const old = t.callbackSecret()
      await t.driver.rotateCallbackSecret()
      await deliveryIn(t, conversation, ['cancelled_config_changed'])
      assert.notEqual(t.callbackSecret(), old)
      await t.driver.moveClock(HOUR_MS)
      const later = await observed(t)
      await sendAndEnd(t, later, SUCCESS)
      const [request] = await arrivals(t, later, 1)
      assert.ok(isSignedBy(request, t.callbackSecret()), 'the new event is not signed with the new secret')
      assert.equal(t.callbacks.requests(conversation.conversation_id).length, 1, 'the old event must not be sent')
      await deliveryIn(t, conversation, ['cancelled_config_changed'])
    },
  },
]
