import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { change, deliveriesOf, OWN_CALLBACK, ownCallback } from '../../../kit/steps/callback-administration.ts'
import {
  answeredWith,
  arrivals,
  deliveryIn,
  finish,
  held,
  isSignedBy,
  SIGNATURE_HEADERS,
} from '../../../kit/steps/callbacks.ts'
import { expectRefused, granted } from '../../../kit/steps/refusals.ts'

const RETRYING = [...OWN_CALLBACK, 'driver.retryDelivery'] as const
const MEBIBYTE = 1024 * 1024

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/same-bytes-fresh-signature',
    title: 'every attempt sends the same bytes under the same ID, with a fresh timestamp and a signature over it',
    rules: ['CB-55'],
    tags: ['slow'],
    needs: ['callbacks'],
    run: async (t) => {
      const conversation = await answeredWith(t, (attempt) => ({ status: attempt === 1 ? 503 : 200 }))
      const requests = await arrivals(t, conversation, 2)
      const [first, second] = requests
      assert.ok(first !== undefined && second?.bytes.equals(first.bytes), 'both attempts must send the same bytes')
      const headers = requests.map((request) => SIGNATURE_HEADERS.map((name) => request.header(name)[0] ?? ''))
      const [[id, early = '', before] = [], [again, late = '', after] = []] = headers
      assert.equal(again, id)
      assert.ok(
        Number(late) - Number(early) >= 1,
        `each attempt must have its own timestamp, but they are ${early} and ${late}`,
      )
      assert.notEqual(after, before)
      assert.ok(isSignedBy(second, t.callbackSecret()), 'the second attempt is not signed with the secret')
    },
  },
  {
    id: 'callbacks/retry-with-new-timestamp',
    title: 'a retried callback has a new timestamp and signature',
    rules: ['SIG-15'],
    tags: ['slow'],
    needs: ['callbacks', 'driver.listDeliveries', 'driver.retryDelivery'],
    run: async (t) => {
      const conversation = await answeredWith(t, (attempt) => ({ status: attempt === 1 ? 404 : 200 }))
      const { deliveryId } = await deliveryIn(t, conversation, ['needs_action'])
      const [first] = t.callbacks.requests(conversation.conversation_id)
      const early = first?.header('webhook-timestamp')[0]
      await t.until(
        'another second has begun',
        async () => Math.floor(t.now() / 1000),
        (seconds) => seconds > Number(early) + 1,
      )
      granted(await t.driver.retryDelivery(deliveryId), 'a retry')
      const [, second] = await arrivals(t, conversation, 2)
      assert.notEqual(second?.header('webhook-timestamp')[0], early)
      assert.notEqual(second?.header('webhook-signature')[0], first?.header('webhook-signature')[0])
    },
  },
  {
    id: 'callbacks/sending-and-after',
    title: 'a delivery in progress is sending, cannot be retried manually, and a 2xx makes it delivered permanently',
    rules: ['CB-44', 'CB-45'],
    needs: RETRYING,
    run: async (t) => {
      const { converse, delivery, requests } = await ownCallback(t)
      const conversation = await converse()
      const { answer, release } = held()
      t.callbacks.plan(conversation.conversation_id, () => answer)
      try {
        await finish(t, conversation)
        const { deliveryId } = await delivery('the delivery is sending', ({ state }) => state === 'sending')
        expectRefused(await t.driver.retryDelivery(deliveryId), 'a retry of a delivery in progress')
      } finally {
        release()
      }
      const { deliveryId } = await delivery('the delivery is delivered', ({ state }) => state === 'delivered')
      expectRefused(await t.driver.retryDelivery(deliveryId), 'a retry of a delivered callback')
      assert.equal(requests().length, 1)
    },
  },
  {
    id: 'callbacks/disabling-cancels',
    title:
      'disabling a configuration cancels its waiting deliveries permanently: neither enabling it again nor a manual retry sends them',
    rules: ['CB-44', 'CB-48'],
    needs: [...RETRYING, 'driver.changeCallback'],
    run: async (t) => {
      const { arrived, callback, converse, delivery, requests } = await ownCallback(t)
      const conversation = await converse()
      t.callbacks.plan(conversation.conversation_id, (attempt) => ({ status: attempt === 1 ? 503 : 200 }))
      await finish(t, conversation)
      await delivery('an attempt has failed', ({ state, attempts }) => state === 'pending' && attempts === 1)
      await change(t, callback, { enabled: false })
      const cancelled = await delivery('the delivery is cancelled', ({ state }) => state === 'cancelled_config_changed')
      assert.equal(cancelled.nextAttemptAt ?? null, null)
      await change(t, callback, { enabled: true })
      expectRefused(await t.driver.retryDelivery(cancelled.deliveryId), 'a retry of a cancelled delivery')
      await finish(t, conversation)
      await arrived(2)
      await delivery(
        'the delivery is still cancelled',
        ({ deliveryId, state }) => deliveryId === cancelled.deliveryId && state === 'cancelled_config_changed',
      )
      assert.equal(requests().length, 2, 'only the failed attempt and the later event may be sent')
    },
  },
  {
    id: 'callbacks/response-timeout',
    title: 'an attempt without an answer within 10 seconds fails, and the delivery is retried',
    rules: ['CB-45', 'CB-52'],
    tags: ['slow'],
    needs: OWN_CALLBACK,
    run: async (t) => {
      const { arrived, converse, delivery } = await ownCallback(t)
      const conversation = await converse()
      t.callbacks.plan(conversation.conversation_id, (attempt) => (attempt === 1 ? 'silence' : { status: 200 }))
      await finish(t, conversation)
      const [request] = await arrived(1)
      const arrivedAt = request?.receivedAtMs ?? 0
      await delivery('the attempt has failed', ({ attempts, state }) => attempts === 1 && state === 'pending')
      const tookMs = Date.now() - arrivedAt
      assert.ok(tookMs > 8500, `the attempt failed after only ${tookMs} ms`)
    },
  },
  {
    id: 'callbacks/endless-answer',
    title: 'an answer’s body is not read past 64 KiB: an endless one neither delays the delivery nor is read further',
    rules: ['CB-53'],
    tags: ['security'],
    needs: OWN_CALLBACK,
    run: async (t) => {
      const { converse, delivery } = await ownCallback(t)
      const conversation = await converse()
      const { conversation_id: id } = conversation
      t.callbacks.plan(id, 'endless')
      await finish(t, conversation)
      await delivery('the delivery is delivered', ({ state }) => state === 'delivered')
      await t.until(
        'the gateway has closed the connection',
        async () => t.callbacks.answered(id),
        ({ ended }) => ended,
      )
      const { bytes } = t.callbacks.answered(id)
      // Bytes in the socket buffers count as sent although the gateway has not read them.
      assert.ok(bytes < 32 * MEBIBYTE, `${bytes} bytes of an endless answer were read`)
    },
  },
  {
    id: 'callbacks/order-of-seq',
    title: 'deliveries of one conversation start in order of seq, even while the first of them is in progress',
    rules: ['CB-64'],
    needs: OWN_CALLBACK,
    run: async (t) => {
      const { callback, converse, requests } = await ownCallback(t)
      const conversation = await converse()
      const { answer, release } = held()
      t.callbacks.plan(conversation.conversation_id, (_attempt, { order }) =>
        order === requests()[0]?.order ? answer : { status: 200 },
      )
      const seqs = () =>
        requests().flatMap(({ event }) =>
          event.conversation_id === conversation.conversation_id ? [event.seq ?? 0] : [],
        )
      try {
        // A later delivery may start before the first attempt of an earlier one ends, so each gets time to start.
        for (let n = 0; n < 3; n += 1) {
          await finish(t, conversation)
          const other = await converse()
          await finish(t, other)
          await t.until(
            'the event of another conversation',
            async () => requests(),
            (all) => all.some(({ event }) => event.conversation_id === other.conversation_id),
          )
        }
      } finally {
        release()
      }
      await t.until(
        'all events',
        async () => seqs(),
        ({ length }) => length >= 3,
      )
      assert.deepEqual(
        seqs(),
        seqs().toSorted((a, b) => a - b),
      )
      assert.equal((await deliveriesOf(t, callback)).length, 6)
    },
  },
  {
    id: 'callbacks/retried-holds-nothing-up',
    title: 'a delivery that waits for its retry does not delay later ones of its conversation',
    rules: ['CB-65'],
    needs: OWN_CALLBACK,
    run: async (t) => {
      const { converse, requests, callback } = await ownCallback(t)
      const conversation = await converse()
      const late = { status: 503, headers: { 'retry-after': '3600' } }
      t.callbacks.plan(conversation.conversation_id, (_attempt, { order }) =>
        order === requests()[0]?.order ? late : { status: 200 },
      )
      for (let n = 0; n < 3; n += 1) await finish(t, conversation)
      const records = await t.until(
        'the later ones are delivered',
        () => deliveriesOf(t, callback),
        (all) => all.filter(({ state }) => state === 'delivered').length === 2,
      )
      assert.equal(records.filter(({ state }) => state === 'pending').length, 1)
    },
  },
]
