import assert from 'node:assert/strict'
import type { DeliveryView } from '../../../kit/config/driver.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { dueAt, OWN_CALLBACK, ownCallback } from '../../../kit/steps/callback-administration.ts'
import { deliveryIn, finish } from '../../../kit/steps/callbacks.ts'
import { expectRefused, granted } from '../../../kit/steps/refusals.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const RETRYING = [...OWN_CALLBACK, 'driver.retryDelivery', 'driver.moveClock'] as const
const DELAYS_S = [5, 30, 120, 600, 1800, 7200, 21_600]
/**
 * How far a delay may differ from its nominal value: by this fraction because of jitter, and by `SLACK_MS` because of
 * the time that answers take.
 */
const JITTER = 0.5
const SLACK_MS = 3000

const failed = (attempts: number) => (delivery: DeliveryView) =>
  delivery.attempts === attempts && delivery.state === 'pending' && delivery.nextAttemptAt !== null

type Own = Awaited<ReturnType<typeof ownCallback>>

/** Waits until this many attempts have failed, and returns the time until the next one. */
const delayAfter = async (t: ServerContext, { delivery }: Own, attempts: number): Promise<number> =>
  dueAt(t, await delivery(`attempt ${attempts} has failed`, failed(attempts))) - t.now()

/** Moves the clock from one attempt to the next until the delivery expires. */
async function untilExpired(t: ServerContext, { delivery }: Own): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const seen = await delivery(
      'the delivery waits or has expired',
      ({ state }) => state === 'pending' || state === 'expired',
    )
    if (seen.state === 'expired') return
    await t.driver.moveClock(Math.max(dueAt(t, seen) - t.now(), 0) + 1)
    await t.quiet()
  }
  assert.fail(`the delivery has not expired after ${MOST_STEPS} moves of the clock`)
}

const MOST_STEPS = 40

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/retry-schedule',
    title:
      'retries follow after about 5 s, 30 s, 2 min, 10 min, 30 min, 2 h and 6 h, and the eighth attempt is the last',
    rules: ['CB-50', 'CB-45'],
    tags: ['slow'],
    alone: 'all',
    needs: [...OWN_CALLBACK, 'driver.moveClock'],
    run: async (t) => {
      const own = await ownCallback(t)
      const conversation = await own.converse()
      t.callbacks.plan(conversation.conversation_id, { status: 500 })
      await finish(t, conversation)
      for (const [at, seconds] of DELAYS_S.entries()) {
        const delayMs = await delayAfter(t, own, at + 1)
        const least = seconds * 1000 * (1 - JITTER) - SLACK_MS
        const most = seconds * 1000 * (1 + JITTER) + SLACK_MS
        assert.ok(
          delayMs >= least && delayMs <= most,
          `attempt ${at + 2} is due after ${delayMs} ms instead of about ${seconds} s`,
        )
        if (at > 0) assert.equal(own.requests().length, at + 1, 'no attempt may be made before it is due')
        await t.driver.moveClock(Math.max(delayMs, 0) + 1)
      }
      const expired = await own.delivery('the delivery has expired', ({ state }) => state === 'expired')
      assert.deepEqual([expired.attempts, own.requests().length], [8, 8])
    },
  },
  {
    id: 'callbacks/retry-after-lower-bound',
    title:
      'Retry-After, in seconds or as a date, is a lower bound for the next attempt; a shorter or invalid one has no effect',
    rules: ['CB-51'],
    needs: OWN_CALLBACK,
    run: async (t) => {
      const whole = Math.ceil(t.now() / 1000) * 1000
      const date = (milliseconds: number) => new Date(whole + milliseconds).toUTCString()
      const cases: readonly (readonly [retryAfter: string, leastMs: number | null])[] = [
        ['3600', t.now() + HOUR_MS],
        [date(HOUR_MS), whole + HOUR_MS],
        ['1', null],
        ['0', null],
        ['soon', null],
        ['-60', null],
        ['1.5e9', null],
        [date(-HOUR_MS), null],
      ]
      const own = await ownCallback(t)
      await Promise.all(
        cases.map(async ([retryAfter, leastMs]) => {
          const conversation = await own.converse()
          t.callbacks.plan(conversation.conversation_id, { status: 503, headers: { 'retry-after': retryAfter } })
          await finish(t, conversation)
          const waiting = await deliveryIn(t, conversation, ['pending'], ({ attempts }) => attempts >= 1)
          const dueMs = dueAt(t, waiting)
          const shown = `${retryAfter}: the next attempt is due at ${waiting.nextAttemptAt}`
          if (leastMs === null) assert.ok(dueMs < t.now() + 10 * MINUTE_MS, shown)
          else assert.ok(dueMs >= leastMs, shown)
        }),
      )
    },
  },
  {
    id: 'callbacks/expires-with-the-retry-outside',
    title: 'a delivery whose retry would fall outside the window expires at once',
    rules: ['CB-45', 'CB-49'],
    needs: OWN_CALLBACK,
    run: async (t) => {
      const own = await ownCallback(t)
      const conversation = await own.converse()
      t.callbacks.plan(conversation.conversation_id, {
        status: 503,
        headers: { 'retry-after': String(24 * 3600 + 60) },
      })
      await finish(t, conversation)
      const expired = await own.delivery('the delivery has expired', ({ state }) => state === 'expired')
      assert.deepEqual([expired.attempts, own.requests().length], [1, 1])
      const inside = await ownCallback(t)
      const other = await inside.converse()
      t.callbacks.plan(other.conversation_id, { status: 503, headers: { 'retry-after': String(24 * 3600 - 120) } })
      await finish(t, other)
      await inside.delivery('the delivery waits within the window', failed(1))
    },
  },
  {
    id: 'callbacks/fresh-window-by-hand',
    title: 'a manual retry makes a delivery pending again, with a new window of 24 hours and 8 attempts',
    rules: ['CB-46'],
    tags: ['slow'],
    alone: 'all',
    needs: RETRYING,
    run: async (t) => {
      const own = await ownCallback(t)
      const conversation = await own.converse()
      t.callbacks.plan(conversation.conversation_id, { status: 410 })
      await finish(t, conversation)
      const { deliveryId } = await own.delivery('the delivery needs action', ({ state }) => state === 'needs_action')
      await t.driver.moveClock(3 * 24 * HOUR_MS)
      t.callbacks.plan(conversation.conversation_id, { status: 500 })
      const retriedAt = t.now()
      granted(await t.driver.retryDelivery(deliveryId), 'the retry')
      const { expiresAt } = await own.delivery('the delivery waits again', ({ state }) => state === 'pending')
      if (expiresAt !== undefined) {
        const windowMs = Date.parse(expiresAt) - retriedAt
        assert.ok(Math.abs(windowMs - 24 * HOUR_MS) < MINUTE_MS, `the new window is ${windowMs} ms long`)
      }
      await untilExpired(t, own)
      assert.equal(own.requests().length, 9, 'one attempt must precede and eight must follow the manual retry')
      assert.ok(t.now() - retriedAt < 25 * HOUR_MS, 'the attempts must end within the new window')
      t.callbacks.plan(conversation.conversation_id, { status: 200 })
      granted(await t.driver.retryDelivery(deliveryId), 'the retry of an expired delivery')
      await own.delivery('the delivery is delivered', ({ state }) => state === 'delivered')
      expectRefused(await t.driver.retryDelivery(deliveryId), 'a retry of a delivered callback')
    },
  },
  {
    id: 'callbacks/pending-past-its-window',
    title: 'a delivery that still waits when its window ends expires without another attempt',
    rules: ['CB-44'],
    alone: 'all',
    needs: RETRYING,
    run: async (t) => {
      const own = await ownCallback(t)
      const conversation = await own.converse()
      t.callbacks.plan(conversation.conversation_id, { status: 503, headers: { 'retry-after': String(20 * 3600) } })
      await finish(t, conversation)
      const { deliveryId } = await own.delivery('the delivery waits', failed(1))
      expectRefused(await t.driver.retryDelivery(deliveryId), 'a retry of a waiting delivery')
      await t.driver.moveClock(25 * HOUR_MS)
      await own.delivery('the delivery has expired', ({ state }) => state === 'expired')
      assert.equal(own.requests().length, 1, 'no attempt may be made after the window')
    },
  },
]
