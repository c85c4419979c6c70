import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import {
  arrivalOf,
  arrivals,
  FAILURE,
  finish,
  isSignedBy,
  observed,
  SIGNATURE_HEADERS,
} from '../../../kit/steps/callbacks.ts'
import { cancelRun, readRun } from '../../../kit/steps/runs.ts'

const needs = ['callbacks'] as const

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/event-envelope',
    title: 'a callback is a POST to the configured URL whose body is the same event envelope as in the stream',
    rules: ['CB-01', 'CB-15', 'CB-17', 'CB-20'],
    needs,
    streams: 1,
    run: async (t) => {
      const conversation = await observed(t)
      const text = `schön "gesagt"\u2028 ${t.fresh()}`
      const run = await finish(t, conversation, { succeed: { text } })
      const stream = await t.me.events(conversation.conversation_id, { after: 0 })
      const event = await stream.event('run.completed', ({ type }) => type === 'run.completed')
      const request = await arrivalOf(t, conversation, 'run.completed')
      assert.deepEqual([request.method, request.path], ['POST', t.callbacks.path])
      assert.deepEqual(request.header('webhook-id'), [event.event_id])
      assert.equal(request.event.event_id, event.event_id)
      const { conversation_id, generation, seq, run_id, message_id, type, payload } = request.event
      assert.deepEqual(
        { conversation_id, generation, seq, run_id, message_id, type, payload },
        {
          conversation_id: event.conversation_id,
          generation: event.generation,
          seq: event.seq,
          run_id: event.run_id,
          message_id: event.message_id,
          type: event.type,
          payload: event.payload,
        },
        'the callback must contain the event of the stream',
      )
      assert.equal(run_id, run.run_id)
      const result: { readonly text?: unknown } = Object(Object(payload).result)
      assert.equal(result.text, text, 'payload.result must be the result of the run')
      assert.equal((await readRun(t, run.run_id)).result?.text, text)
    },
  },
  {
    id: 'callbacks/headers',
    title: 'a callback has each header of the signature scheme once, in the required form, and is JSON',
    rules: ['CB-16', 'SIG-05'],
    needs,
    run: async (t) => {
      const conversation = await observed(t)
      await finish(t, conversation)
      const request = await arrivalOf(t, conversation, 'run.completed')
      for (const name of SIGNATURE_HEADERS)
        assert.equal(request.header(name).length, 1, `${name} must occur exactly once`)
      const [id = '', timestamp = '', signature = ''] = SIGNATURE_HEADERS.map((name) => request.header(name)[0])
      assert.match(id, /^[\x21-\x7e]{1,128}$/)
      assert.match(timestamp, /^[0-9]+$/)
      assert.match(signature, /^v1,[0-9a-f]{64}$/)
      assert.match(request.header('content-type')[0] ?? '', /^application\/json(;|$)/)
      const secondsOff = Math.abs(Number(timestamp) - t.now() / 1000)
      assert.ok(secondsOff < 300, `the timestamp must be within 300 s of the clock, but is ${secondsOff} s off`)
    },
  },
  {
    id: 'callbacks/signature',
    title: 'a callback is signed over ID, timestamp and raw body with the literal text of its own secret',
    rules: ['SIG-07', 'SIG-08', 'SIG-23', 'CB-06'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const conversation = await observed(t)
      await finish(t, conversation, { succeed: { text: 'schön \u{1F600}' } })
      const request = await arrivalOf(t, conversation, 'run.completed')
      assert.ok(isSignedBy(request, t.callbackSecret()), 'the callback is not signed with its own secret')
      for (const webhook of Object.values(t.config.webhooks ?? {}))
        assert.ok(!isSignedBy(request, webhook.secret), 'the callback is signed with the secret of a webhook')
    },
  },
  {
    id: 'callbacks/error-of-a-failed-run',
    title: 'the callback for run.failed has the error in payload.error',
    rules: ['CB-21'],
    needs,
    run: async (t) => {
      const conversation = await observed(t)
      const run = await finish(t, conversation, { delta: 'partial' }, FAILURE)
      const { event } = await arrivalOf(t, conversation, 'run.failed')
      const { error } = Object(event.payload)
      assert.ok(error !== undefined && error !== null, 'payload.error must be present')
      assert.ok(JSON.stringify(error).includes('NO_STOCK'), 'payload.error must be the error of the run')
      assert.equal(event.run_id, run.run_id)
    },
  },
  {
    id: 'callbacks/no-tenant-in-the-body',
    title: 'the body of a callback contains neither the subject nor the application',
    rules: ['CB-18'],
    needs,
    run: async (t) => {
      const conversation = await observed(t)
      await finish(t, conversation)
      const { event } = await arrivalOf(t, conversation, 'run.completed')
      assert.ok(!('subject' in event) && !('app_id' in event))
    },
  },
  {
    id: 'callbacks/subscribed-types-only',
    title: 'only events with a subscription option are sent, not run starts, deltas or messages',
    rules: ['CB-04'],
    needs,
    run: async (t) => {
      const conversation = await observed(t)
      await finish(t, conversation, { delta: 'one ' }, { delta: 'two' }, { message: 'three' })
      await finish(t, conversation, FAILURE)
      await arrivalOf(t, conversation, 'run.failed')
      const types = (await arrivals(t, conversation, 2)).map(({ event }) => event.type)
      assert.deepEqual([...types].sort(), ['run.completed', 'run.failed'])
    },
  },
  {
    id: 'callbacks/approval-required',
    title: 'approval.required is sent while the run waits for the approval',
    rules: ['CB-04'],
    needs,
    run: async (t) => {
      const conversation = await observed(t)
      const { run_id } = await t.admit(conversation, t.script({ approval: 'May I?' }, { succeed: {} }))
      const { event } = await arrivalOf(t, conversation, 'approval.required')
      assert.equal(event.run_id, run_id)
      await t.runIn(run_id, ['waiting_approval'])
      await cancelRun(t, run_id)
    },
  },
  {
    id: 'callbacks/once-per-event',
    title: 'each event is delivered exactly once if its receiver answers, also with simultaneous runs',
    rules: ['CB-41'],
    tags: ['race'],
    needs: ['callbacks', 'driver.listDeliveries'],
    run: async (t) => {
      const conversations = await Promise.all(Array.from({ length: 4 }, () => observed(t)))
      await Promise.all(conversations.map((conversation) => finish(t, conversation)))
      await Promise.all(conversations.map((conversation) => finish(t, conversation, FAILURE)))
      for (const conversation of conversations) {
        const { conversation_id: id } = conversation
        const deliveries = await t.until(
          'both events are delivered',
          () => t.driver.listDeliveries({ conversationId: id }),
          (all) => all.filter(({ state }) => state === 'delivered').length >= 2,
        )
        const events = deliveries.map(({ eventId }) => eventId)
        assert.deepEqual([events.length, new Set(events).size], [2, 2], 'each event must have exactly one delivery')
        const sent = t.callbacks.requests(id).map((request) => request.header('webhook-id')[0])
        assert.deepEqual([...sent].sort(), [...events].sort(), 'each delivery must have exactly one request')
      }
    },
  },
]
