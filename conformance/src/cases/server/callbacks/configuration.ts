import assert from 'node:assert/strict'
import {
  change,
  ownCallback,
  recordsOf,
  type SavedCallback,
  save,
  saved,
} from '../../../steps/server/callback-administration.ts'
import { FAILURE, finish } from '../../../steps/server/callbacks.ts'
import { saved as savedWebhook } from '../../../steps/server/webhook-administration.ts'
import { expectRefusal, expectStatus } from '../../../targets/server/expectations.ts'
import type { ServerCheck } from '../../../targets/server/system.ts'
import { deliver, eventOf, signatureOf } from '../../../targets/server/webhook-sender.ts'

const needs = ['callbacks', 'admin', 'appIds'] as const
const own = [...needs, 'driver.createService'] as const

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/configuration-record',
    title: 'a configuration has a service, a URL, subscribed events, a switch, and a secret that is shown once',
    rules: ['CB-02', 'CB-03', 'CB-05', 'CB-06'],
    needs,
    run: async (t) => {
      const answer = expectStatus(await save(t), 201)
      const { secret, ...record } = answer.body
      assert.ok(secret !== undefined && secret.length > 20, 'a secret was generated')
      const read = expectStatus(await t.admin.request<SavedCallback>('GET', `/callbacks/${record.callback_id}`), 200)
      assert.deepEqual(read.body, record, 'reading shows the same, without the secret')
      assert.ok(!read.text.includes(secret))
      for (const lacking of ['endpoint_id', 'url', 'events'])
        expectRefusal(await save(t, { [lacking]: undefined }), 400)
      expectRefusal(await save(t, { events: [] }), 400)
      expectRefusal(await save(t, { events: ['assistant.delta'] }), 400)
      expectStatus(await save(t, { endpoint_id: t.config.services.foreign }), 400, 404)
    },
  },
  {
    id: 'callbacks/events-of-the-device',
    title: 'a configuration receives the events of all services of its application on the device, and of no others',
    rules: ['CB-02', 'CB-04'],
    needs: own,
    run: async (t) => {
      const { callback, converse, requests } = await ownCallback(t, { events: ['run.completed'] })
      const { device_id: deviceId } = await t.admin.call<{ device_id: string }>(
        'GET',
        `/callbacks/${callback.callback_id}`,
      )
      const publish = (app: 'first' | 'second') =>
        t.admin.call<{ endpoint_id: string }>('POST', `/apps/${t.config.apps[app].appId}/endpoints`, {
          device_id: deviceId,
          assistant: { type: 'script' },
        })
      const [sibling, foreign] = [await publish('first'), await publish('second')]
      const stranger = t.caller({ app: 'second' })
      const theirs = await t.conversation({ endpoint_id: foreign.endpoint_id }, stranger)
      const { run_id } = await t.admit(theirs, t.script({ succeed: {} }), stranger)
      await t.runEnded(run_id, stranger)
      await finish(t, await t.conversation())
      const mine = await converse()
      await finish(t, mine, FAILURE)
      await finish(t, mine)
      const second = await t.conversation({ endpoint_id: sibling.endpoint_id })
      await finish(t, second)
      await t.until(
        'the events of both services',
        async () => requests(),
        ({ length }) => length >= 2,
      )
      assert.deepEqual(
        requests()
          .map(({ event }) => `${event.conversation_id} ${event.type}`)
          .sort(),
        [mine, second].map(({ conversation_id: id }) => `${id} run.completed`).sort(),
      )
      assert.equal((await recordsOf(t, callback.callback_id)).length, 2, 'nothing else is to be delivered')
    },
  },
  {
    id: 'callbacks/subscription-is-changed',
    title: 'exactly the subscribed events are sent, as the configuration stands when they happen',
    rules: ['CB-04', 'CB-05'],
    needs: own,
    run: async (t) => {
      const { callback, converse, requests } = await ownCallback(t, { events: ['run.failed'] })
      const conversation = await converse()
      const arrived = (count: number) =>
        t.until(
          `${count} events`,
          async () => requests(),
          ({ length }) => length >= count,
        )
      await finish(t, conversation)
      await finish(t, conversation, FAILURE)
      await arrived(1)
      await change(t, callback, { events: ['run.completed'] })
      await finish(t, conversation, FAILURE)
      await finish(t, conversation)
      await arrived(2)
      await change(t, callback, { enabled: false })
      await finish(t, conversation)
      await change(t, callback, { enabled: true, events: ['run.completed', 'run.failed'] })
      await finish(t, conversation, FAILURE)
      await arrived(3)
      assert.deepEqual(
        requests().map(({ event }) => event.type),
        ['run.failed', 'run.completed', 'run.failed'],
      )
    },
  },
  {
    id: 'callbacks/new-url-gets-no-old-event',
    title: 'another URL is a new version: what is undelivered is cancelled and never sent to the new destination',
    rules: ['CB-28', 'CB-34'],
    tags: ['security'],
    needs: own,
    run: async (t) => {
      const { callback, converse, record, path } = await ownCallback(t)
      const conversation = await converse()
      t.callbacks.plan(conversation.conversation_id, (attempt, { path: to }) => ({
        status: attempt === 1 && to === path ? 503 : 200,
      }))
      await finish(t, conversation)
      await record('an attempt has failed', ({ state, attempts }) => state === 'pending' && attempts === 1)
      const changed = await change(t, callback, { url: `${t.callbacks.origin}${path}/new` })
      assert.equal(changed.version, callback.version + 1)
      await record('it is cancelled', ({ state }) => state === 'cancelled_config_changed')
      await finish(t, conversation)
      const arrived = () => t.callbacks.all().filter((request) => request.path === `${path}/new`)
      await t.until(
        'the new event',
        async () => arrived(),
        ({ length }) => length >= 1,
      )
      const all = await recordsOf(t, callback.callback_id)
      assert.deepEqual(
        all.map(({ state }) => state === 'cancelled_config_changed').sort(),
        [false, true],
        'the old event stays cancelled, the new one is delivered',
      )
      const cancelled = all.find(({ state }) => state === 'cancelled_config_changed')
      assert.ok(!arrived().some((request) => request.header('webhook-id')[0] === cancelled?.event_id))
    },
  },
  {
    id: 'callbacks/versions',
    title: 'another URL and another secret are new versions; the same URL and other changes are none',
    rules: ['CB-34'],
    needs,
    run: async (t) => {
      const callback = await saved(t)
      const versions: number[] = []
      for (const json of [
        { events: ['run.failed'] },
        { enabled: true },
        { enabled: false },
        { url: callback.url },
        { url: `${callback.url}/new` },
      ])
        versions.push((await change(t, callback, json)).version)
      const rotate = () => t.admin.call<SavedCallback>('POST', `/callbacks/${callback.callback_id}/rotate-secret`)
      const rotated = await rotate()
      assert.ok(rotated.secret !== undefined && rotated.secret !== callback.secret)
      versions.push(rotated.version, (await rotate()).version)
      assert.deepEqual(
        versions.map((version) => version - callback.version),
        [0, 0, 0, 0, 1, 2, 3],
      )
    },
  },
  {
    id: 'callbacks/secrets-differ',
    title: 'no secret serves in both directions: a webhook’s cannot sign callbacks, and a callback’s opens no webhook',
    rules: ['CB-06', 'SIG-22'],
    tags: ['security'],
    needs: own,
    run: async (t) => {
      const webhook = await savedWebhook(t)
      expectRefusal(await save(t, { secret: webhook.secret }), 400)
      const { callback, converse, requests } = await ownCallback(t)
      const { secret = '' } = callback
      assert.notEqual(secret, webhook.secret)
      expectRefusal(await deliver(t, { ...webhook, secret }, eventOf({ text: 'hello' })), 401)
      await finish(t, await converse())
      const [request] = await t.until(
        'the callback',
        async () => requests(),
        ({ length }) => length >= 1,
      )
      const [id = '', timestamp = '', signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
        (name) => request?.header(name)[0],
      )
      assert.equal(signature, signatureOf(id, timestamp, request?.bytes ?? '', secret))
    },
  },
]
