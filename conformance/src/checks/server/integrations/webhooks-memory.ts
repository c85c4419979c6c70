import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, subjectOf } from '../../../kit/server/webhook-sender.ts'
import { expectReplay, REPLAYED } from '../../../kit/steps/replays.ts'
import { whileDeviceIsOffline } from '../../../kit/steps/suspensions.ts'
import { accept } from '../../../kit/steps/webhooks.ts'

const WEEK_MS = 7 * 24 * 3_600_000
const MARGIN_MS = 120_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/repeat-is-marked',
    title: 'a repeat gets the original answer, marked as replayed; other bytes are a WEBHOOK_CONFLICT',
    rules: ['HOOK-54', 'HOOK-58'],
    needs: ['webhooks.new', 'webhooks.cancel'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      const event = eventOf(t.script({ hang: true }))
      const first = expectStatus(await deliver(t, integration, event, { id }), 202)
      assert.notEqual(first.headers[REPLAYED], 'true')
      expectReplay('an event', await deliver(t, integration, event, { id }), first)
      const text = JSON.stringify(event)
      const reordered = JSON.stringify(Object.fromEntries(Object.entries(event).reverse()))
      // The same event in different bytes is a different body, too.
      for (const other of [eventOf({ text: 'x' }), `${text} `, ` ${text}`, JSON.stringify(event, null, 1), reordered])
        if (other !== text) expectRefusal(await deliver(t, integration, other, { id }), 409, 'WEBHOOK_CONFLICT')

      const cancels = integrationOf(t, 'cancel')
      const cancel = eventOf({ runId: first.body.run_id })
      const control = expectStatus(await deliver(t, cancels, cancel, { id }), 202)
      assert.notEqual(control.headers[REPLAYED], 'true')
      expectReplay('a cancel', await deliver(t, cancels, cancel, { id }), control)
    },
  },
  {
    id: 'webhooks/one-original-among-repeats',
    title: 'of identical concurrent deliveries exactly one answer is not marked as replayed',
    rules: ['HOOK-54', 'HOOK-58'],
    tags: ['race'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      const event = eventOf({ text: 'hello' })
      const answers = await Promise.all(Array.from({ length: 12 }, () => deliver(t, integration, event, { id })))
      assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 1)
      assert.equal(answers.filter(({ headers }) => headers[REPLAYED] !== 'true').length, 1)
    },
  },
  {
    id: 'webhooks/refused-leaves-the-id-unused',
    title: 'a refused delivery can be sent again under its webhook-id, also with another body',
    rules: ['HOOK-55'],
    needs: ['webhooks.new', 'webhooks.messageById', 'webhooks.cancel'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      expectRefusal(await deliver(t, integration, eventOf({ text: 'x' }), { id, secret: 'whsec_wrong' }), 401)
      expectRefusal(await deliver(t, integration, '[]', { id }), 400)
      expectRefusal(await deliver(t, integration, eventOf({ type: 'unknown', text: 'x' }), { id }), 403)
      expectRefusal(await deliver(t, integration, eventOf({}), { id }), 400)
      const accepted = expectStatus(await deliver(t, integration, eventOf({ text: 'x' }), { id }), 202)
      assert.notEqual(accepted.headers[REPLAYED], 'true')

      const byId = integrationOf(t, 'messageById')
      const { conversation_id: conversationId } = await t.conversation({}, subjectOf(t, byId))
      const stale = eventOf({ text: 'x', conversationId, generation: 2 })
      expectRefusal(await deliver(t, byId, stale, { id }), 409, 'GENERATION_CONFLICT')
      expectRefusal(await deliver(t, byId, stale, { id }), 409, 'GENERATION_CONFLICT')
      await accept(t, byId, eventOf({ text: 'x', conversationId, generation: 1 }), { id })
      const cancels = integrationOf(t, 'cancel')
      expectRefusal(await deliver(t, cancels, eventOf({ runId: 'run_nobody' }), { id }), 404)
      await accept(t, cancels, eventOf({ runId: accepted.body.run_id }), { id })
    },
  },
  {
    id: 'webhooks/memory-per-integration',
    title: 'the same webhook-id at another integration is a separate delivery, with the same body and with another',
    rules: ['HOOK-56'],
    needs: ['webhooks.new', 'webhooks.messageByKey', 'webhooks.deepPaths'],
    run: async (t) => {
      const id = t.fresh('event')
      const key = t.fresh('order')
      const event = eventOf({ text: 'hello', key })
      const one = await accept(t, integrationOf(t, 'new'), event, { id })
      const two = expectStatus(await deliver(t, integrationOf(t, 'messageByKey'), event, { id }), 202)
      assert.notEqual(two.headers[REPLAYED], 'true')
      assert.notEqual(two.body.run_id, one.run_id)
      const deep = { t: 'conformance.event', k: key, a: { b: { c: { d: { e: 'deep' } } } } }
      await accept(t, integrationOf(t, 'deepPaths'), deep, { id })
    },
  },
  {
    id: 'webhooks/memory-of-seven-days',
    title: 'an accepted delivery is remembered for 7 days, and then its webhook-id is free',
    rules: ['HOOK-57'],
    tags: ['slow'],
    alone: 'all',
    needs: ['webhooks.new', 'driver.moveClock', 'driver.restartServer'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      const event = eventOf({ text: 'hello' })
      const first = await accept(t, integration, event, { id })
      await t.runEnded(first.run_id, subjectOf(t, integration))
      await t.driver.moveClock(WEEK_MS - MARGIN_MS)
      const remembered = expectStatus(await deliver(t, integration, event, { id }), 202)
      assert.deepEqual([remembered.body.run_id, remembered.headers[REPLAYED]], [first.run_id, 'true'])
      expectRefusal(await deliver(t, integration, eventOf({ text: 'x' }), { id }), 409, 'WEBHOOK_CONFLICT')
      await t.driver.moveClock(2 * MARGIN_MS)
      // Old webhook-ids may be removed at intervals. A restart removes them at once.
      await t.driver.restartServer()
      await t.until(
        'a webhook-id is free 7 days after its use',
        () => deliver(t, integration, event, { id }),
        ({ status, body }) => status === 202 && body.run_id !== first.run_id,
      )
    },
  },
  {
    id: 'webhooks/start-window',
    title: 'a run from a webhook expires if it has not started within 5 minutes, and not earlier',
    rules: ['HOOK-61'],
    tags: ['slow'],
    alone: 'all',
    needs: ['webhooks.new', 'driver.takeDeviceOffline', 'driver.bringDeviceOnline', 'driver.moveClock'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const reader = subjectOf(t, integration)
      const { main } = t.config.services
      await whileDeviceIsOffline(t, main, async () => {
        const answer = await deliver(t, integration, eventOf({ text: 'hello' }))
        if (answer.status === 503) t.untestable('the service refuses work as soon as its device is offline')
        const { run_id } = expectStatus(answer, 202).body
        await t.driver.moveClock(5 * 60_000 - 30_000)
        assert.equal(expectStatus(await reader.run(run_id), 200).body.state, 'queued')
        await t.driver.moveClock(45_000)
        assert.equal((await t.runEnded(run_id, reader)).state, 'expired')
      })
    },
  },
]
