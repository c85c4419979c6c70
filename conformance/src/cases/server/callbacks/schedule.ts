import assert from 'node:assert/strict'
import { type DeliveryRecord, ownCallback } from '../../../steps/server/callback-administration.ts'
import { finish } from '../../../steps/server/callbacks.ts'
import type { ServerContext } from '../../../targets/server/context.ts'
import { expectRefusal, expectStatus } from '../../../targets/server/expectations.ts'
import type { ServerCheck } from '../../../targets/server/system.ts'

const HOUR_MS = 3_600_000
const needs = ['callbacks', 'admin', 'appIds', 'driver.createService'] as const
const DELAYS_S = [5, 30, 120, 600, 1800, 7200, 21_600]
/** How far a delay may be from what it is about, for jitter and for what the answers take. */
const JITTER = 0.5
const SLACK_MS = 3000

const failed = (attempts: number) => (record: DeliveryRecord) =>
  record.attempts === attempts && record.state === 'pending' && record.next_attempt_at !== null

/** Waits until so many attempts have failed, and says how long it is until the next one. */
async function delayAfter(t: ServerContext, own: Awaited<ReturnType<typeof ownCallback>>, attempts: number) {
  const record = await own.record(`attempt ${attempts} has failed`, failed(attempts))
  return { record, delayMs: Date.parse(record.next_attempt_at ?? '') - t.now() }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/retry-schedule',
    title:
      'retries follow after about 5 s, 30 s, 2 min, 10 min, 30 min, 2 h and 6 h, and the eighth attempt is the last',
    rules: ['CB-50', 'CB-45'],
    tags: ['slow'],
    alone: 'all',
    needs: [...needs, 'driver.moveClock'],
    run: async (t) => {
      const own = await ownCallback(t)
      const conversation = await own.converse()
      t.callbacks.plan(conversation.conversation_id, { status: 500 })
      await finish(t, conversation)
      for (const [at, seconds] of DELAYS_S.entries()) {
        const { delayMs } = await delayAfter(t, own, at + 1)
        const least = seconds * 1000 * (1 - JITTER) - SLACK_MS
        const most = seconds * 1000 * (1 + JITTER) + SLACK_MS
        assert.ok(
          delayMs >= least && delayMs <= most,
          `attempt ${at + 2} follows after ${delayMs} ms, not ${seconds} s`,
        )
        if (at > 0) assert.equal(own.requests().length, at + 1, 'nothing is sent before its time')
        await t.driver.moveClock(Math.max(delayMs, 0) + 1)
      }
      const expired = await own.record('it has expired', ({ state }) => state === 'expired')
      assert.deepEqual([expired.attempts, expired.next_attempt_at, own.requests().length], [8, null, 8])
    },
  },
  {
    id: 'callbacks/retry-after-lower-bound',
    title:
      'Retry-After, in seconds or as a date, is a lower bound for the next attempt; a shorter or broken one changes nothing',
    rules: ['CB-51'],
    needs,
    run: async (t) => {
      const whole = Math.ceil(t.now() / 1000) * 1000
      const date = (milliseconds: number) => new Date(whole + milliseconds).toUTCString()
      const afterCreation = ({ created_at: at }: DeliveryRecord) => Date.parse(at) + HOUR_MS
      const cases: readonly (readonly [string, ((record: DeliveryRecord) => number) | null])[] = [
        ['3600', afterCreation],
        [date(HOUR_MS), () => whole + HOUR_MS],
        ['1', null],
        ['0', null],
        ['soon', null],
        ['-60', null],
        ['1.5e9', null],
        [date(-HOUR_MS), null],
      ]
      const own = await ownCallback(t)
      await Promise.all(
        cases.map(async ([retryAfter, bound]) => {
          const conversation = await own.converse()
          const { conversation_id: id } = conversation
          t.callbacks.plan(id, { status: 503, headers: { 'retry-after': retryAfter } })
          await finish(t, conversation)
          const path = `/deliveries?callback_id=${own.callback.callback_id}&limit=200`
          const record = await t.until(
            'the first attempt has failed',
            async () => {
              const { deliveries } = await t.admin.call<{ deliveries: DeliveryRecord[] }>('GET', path)
              return deliveries.find(({ conversation_id }) => conversation_id === id)
            },
            (one) => one?.state === 'pending' && one.attempts >= 1,
          )
          if (record === undefined) throw new Error('no delivery')
          const dueMs = Date.parse(record.next_attempt_at ?? '')
          const leastMs = bound?.(record) ?? Date.parse(record.created_at)
          assert.ok(dueMs >= leastMs, `${retryAfter}: the next attempt is due at ${record.next_attempt_at}`)
          if (bound === null) assert.ok(dueMs < leastMs + 600_000, `${retryAfter}: due at ${record.next_attempt_at}`)
        }),
      )
    },
  },
  {
    id: 'callbacks/expires-with-the-retry-outside',
    title: 'a delivery whose retry would fall outside the window expires at once',
    rules: ['CB-45', 'CB-49'],
    needs,
    run: async (t) => {
      const own = await ownCallback(t)
      const conversation = await own.converse()
      t.callbacks.plan(conversation.conversation_id, {
        status: 503,
        headers: { 'retry-after': String(24 * 3600 + 60) },
      })
      await finish(t, conversation)
      const record = await own.record('it has expired', ({ state }) => state === 'expired')
      assert.deepEqual([record.attempts, record.next_attempt_at], [1, null])
      const inside = await ownCallback(t)
      const other = await inside.converse()
      t.callbacks.plan(other.conversation_id, { status: 503, headers: { 'retry-after': String(24 * 3600 - 120) } })
      await finish(t, other)
      await inside.record('it waits within the window', failed(1))
    },
  },
  {
    id: 'callbacks/fresh-window-by-hand',
    title: 'a manual retry leads back to pending, with a fresh window of 24 hours and 8 attempts',
    rules: ['CB-46'],
    tags: ['slow'],
    alone: 'all',
    needs: [...needs, 'driver.moveClock'],
    run: async (t) => {
      const own = await ownCallback(t)
      const conversation = await own.converse()
      t.callbacks.plan(conversation.conversation_id, { status: 410 })
      await finish(t, conversation)
      const { delivery_id: id } = await own.record('it needs action', ({ state }) => state === 'needs_action')
      await t.driver.moveClock(3 * 24 * HOUR_MS)
      t.callbacks.plan(conversation.conversation_id, { status: 500 })
      const retry = () => t.admin.request<DeliveryRecord>('POST', `/deliveries/${id}/retry`)
      const { body } = expectStatus(await retry(), 202)
      const windowMs = Date.parse(body.expires_at) - t.now()
      assert.ok(Math.abs(windowMs - 24 * HOUR_MS) < 60_000, `the fresh window has ${windowMs} ms`)
      assert.equal(body.attempts, 0)
      expectRefusal(await retry(), 409, 'RETRY_REFUSED')
      for (let attempt = 1; attempt <= 7; attempt += 1) {
        const { delayMs } = await delayAfter(t, own, attempt)
        await t.driver.moveClock(Math.max(delayMs, 0) + 1)
      }
      const expired = await own.record('it has expired', ({ state }) => state === 'expired')
      assert.deepEqual([expired.attempts, own.requests().length], [8, 9])
      t.callbacks.plan(conversation.conversation_id, { status: 200 })
      expectStatus(await retry(), 202)
      await own.record('it is delivered', ({ state }) => state === 'delivered')
      expectRefusal(await retry(), 409, 'RETRY_REFUSED')
    },
  },
  {
    id: 'callbacks/pending-past-its-window',
    title: 'a delivery that still waits when its window ends expires without another attempt',
    rules: ['CB-44'],
    alone: 'all',
    needs: [...needs, 'driver.moveClock'],
    run: async (t) => {
      const own = await ownCallback(t)
      const conversation = await own.converse()
      t.callbacks.plan(conversation.conversation_id, { status: 503, headers: { 'retry-after': String(20 * 3600) } })
      await finish(t, conversation)
      const { delivery_id: id } = await own.record('it waits', failed(1))
      expectRefusal(await t.admin.request('POST', `/deliveries/${id}/retry`), 409, 'RETRY_REFUSED')
      await t.driver.moveClock(25 * HOUR_MS)
      await own.record('it has expired', ({ state }) => state === 'expired')
      assert.equal(own.requests().length, 1, 'nothing is sent after the window')
    },
  },
]
