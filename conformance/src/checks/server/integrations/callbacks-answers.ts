import assert from 'node:assert/strict'
import type { Conversation } from '#openapi/generated/gateway'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { answeredWith, arrivals, deliveryIn, held, waitsForRetry } from '../../../kit/steps/callbacks.ts'
import { granted } from '../../../kit/steps/refusals.ts'

const needs = ['callbacks', 'driver.listDeliveries'] as const
/** Moves of the clock after the time in Retry-After. Together they are shorter than the rest of the 24-hour window. */
const STEPS = 44
const STEP_MS = 30 * 60_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/delivered-on-2xx',
    title: 'any 2xx answer makes a delivery delivered, after one attempt and without an error',
    rules: ['CB-23', 'CB-35', 'CB-43'],
    needs,
    run: async (t) => {
      await Promise.all(
        [200, 201, 202, 204, 206, 299].map(async (status) => {
          const conversation = await answeredWith(t, { status })
          const { attempts, lastError } = await deliveryIn(t, conversation, ['delivered'])
          assert.deepEqual([attempts, lastError], [1, null], `an answer of ${status} must make the delivery delivered`)
        }),
      )
    },
  },
  {
    id: 'callbacks/waiting-or-in-flight',
    title: 'an unanswered delivery is pending or sending, and becomes delivered only after the 2xx',
    rules: ['CB-22', 'CB-23', 'CB-43'],
    needs,
    run: async (t) => {
      const { answer, release } = held()
      const conversation = await answeredWith(t, () => answer)
      try {
        await arrivals(t, conversation, 1)
        const [delivery] = await t.driver.listDeliveries({ conversationId: conversation.conversation_id })
        assert.ok(
          delivery !== undefined && ['pending', 'sending'].includes(delivery.state),
          `an unanswered delivery is ${delivery?.state}`,
        )
      } finally {
        release()
      }
      await deliveryIn(t, conversation, ['delivered'])
    },
  },
  {
    id: 'callbacks/temporary-answers-are-retried',
    title: '408, 425, 429, every 5xx and a failed connection lead to an automatic retry',
    rules: ['CB-24', 'CB-35'],
    needs,
    run: async (t) => {
      const answers = [408, 425, 429, 500, 501, 502, 503, 504, 599].map((status) => ({ status }))
      await Promise.all(
        [...answers, 'reset' as const].map(async (answer) => {
          const conversation = await answeredWith(t, (attempt) => (attempt === 1 ? answer : { status: 200 }))
          const delivery = await deliveryIn(t, conversation, ['pending', 'delivered'], ({ attempts }) => attempts >= 1)
          if (delivery.state === 'pending')
            assert.ok(delivery.lastError, 'the record must contain the error of the attempt')
          assert.ok(
            delivery.state === 'pending' || delivery.attempts > 1,
            `${JSON.stringify(answer)} must lead to a retry: ${JSON.stringify(delivery)}`,
          )
        }),
      )
    },
  },
  {
    id: 'callbacks/final-answers-need-action',
    title: 'any other answer, redirects included, makes the delivery need action after one attempt',
    rules: ['CB-14', 'CB-26', 'CB-35'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const elsewhere = `/elsewhere/${t.fresh()}`
      const location = `${t.callbacks.origin}${elsewhere}`
      const statuses = [
        300, 301, 302, 303, 304, 305, 307, 308, 400, 401, 403, 404, 405, 406, 409, 410, 413, 422, 426, 451,
      ]
      await Promise.all(
        statuses.map(async (status) => {
          const conversation = await answeredWith(t, { status, headers: { location } })
          const delivery = await deliveryIn(t, conversation, ['needs_action', 'delivered', 'expired'])
          assert.deepEqual([status, delivery.state, delivery.attempts], [status, 'needs_action', 1])
          assert.ok(delivery.lastError, 'the record must contain the error of the attempt')
          assert.equal(t.callbacks.requests(conversation.conversation_id).length, 1)
        }),
      )
      const followed = t.callbacks.all().filter(({ path }) => path.startsWith(elsewhere))
      assert.equal(followed.length, 0, 'a redirect was followed')
    },
  },
  {
    id: 'callbacks/manual-retry',
    title: 'a delivery that needs action can be retried manually; the retry keeps the event ID and the body',
    rules: ['CB-31', 'SIG-14'],
    needs: [...needs, 'driver.retryDelivery'],
    run: async (t) => {
      const conversation = await answeredWith(t, (attempt) => ({ status: attempt === 1 ? 404 : 200 }))
      const { deliveryId } = await deliveryIn(t, conversation, ['needs_action'])
      granted(await t.driver.retryDelivery(deliveryId), 'the retry')
      await deliveryIn(t, conversation, ['delivered'])
      const [first, second] = await arrivals(t, conversation, 2)
      assert.deepEqual(second?.header('webhook-id'), first?.header('webhook-id'))
      assert.ok(first !== undefined && second?.bytes.equals(first.bytes), 'the retry must send the same bytes')
    },
  },
  {
    id: 'callbacks/retry-after-is-respected',
    title: 'no attempt is made before the time in Retry-After, in seconds or as a date',
    rules: ['CB-25'],
    tags: ['slow'],
    alone: 'all',
    needs: [...needs, 'driver.moveClock'],
    run: async (t) => {
      const date = new Date(Math.ceil(t.now() / 1000) * 1000 + 3_600_000).toUTCString()
      const plans = [
        { status: 503, headers: { 'retry-after': '3600' } },
        { status: 429, headers: { 'retry-after': date } },
      ]
      const asking = await Promise.all(
        plans.map((answer) => answeredWith(t, (attempt) => (attempt === 1 ? answer : { status: 200 }))),
      )
      for (const conversation of asking) await waitsForRetry(t, conversation)
      await t.driver.moveClock(3_500_000)
      await t.quiet()
      for (const { conversation_id } of asking)
        assert.equal(
          t.callbacks.requests(conversation_id).length,
          1,
          'no attempt may be made before the time in Retry-After',
        )
      await t.driver.moveClock(200_000)
      // The delay after that time is not specified, as long as it is within the window of 24 hours.
      const isMissing = ({ conversation_id: id }: Conversation): boolean => t.callbacks.requests(id).length < 2
      for (let step = 0; step < STEPS && asking.some(isMissing); step += 1) {
        await t.quiet()
        if (asking.some(isMissing)) await t.driver.moveClock(STEP_MS)
      }
      for (const conversation of asking) {
        await deliveryIn(t, conversation, ['delivered'])
        assert.equal(t.callbacks.requests(conversation.conversation_id).length, 2)
      }
    },
  },
]
