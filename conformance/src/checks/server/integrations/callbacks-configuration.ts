import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import { deliver, eventOf } from '../../../kit/server/webhook-sender.ts'
import {
  change,
  deliveriesOf,
  OWN_CALLBACK,
  ownCallback,
  save,
  saved,
} from '../../../kit/steps/callback-administration.ts'
import { FAILURE, finish, isSignedBy } from '../../../kit/steps/callbacks.ts'
import { expectRefused } from '../../../kit/steps/refusals.ts'
import { saved as savedWebhook } from '../../../kit/steps/webhook-administration.ts'

const changing = [...OWN_CALLBACK, 'driver.changeCallback'] as const

/** The version of a configuration. If the gateway does not show it, the check is untestable. */
const versionOf = (t: ServerContext, { version }: { readonly version?: number }): number =>
  version ?? t.untestable('this gateway does not show the versions of its configurations')

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/configuration-record',
    title: 'a configuration has a service, a URL, subscribed events and its own secret',
    rules: ['CB-02', 'CB-03', 'CB-06'],
    needs: ['callbacks', 'driver.saveCallback'],
    run: async (t) => {
      const [one, two] = [await saved(t), await saved(t)]
      assert.notEqual(one.secret, two.secret, 'each configuration must have its own secret')
      const { service = '' } = t.config.callbacks ?? {}
      const complete = { app: 'first', endpointId: service, url: `${t.callbacks.origin}/own`, events: ['run.failed'] }
      // For a configuration without events, the gateway may choose the events.
      for (const lacking of t.profile === 'core' ? ['endpointId', 'url'] : ['endpointId', 'url', 'events']) {
        const rest = Object.fromEntries(Object.entries(complete).filter(([name]) => name !== lacking))
        expectRefused(await t.driver.saveCallback({ ...rest, enabled: false }), `a configuration without ${lacking}`)
      }
      expectRefused(await save(t, { endpointId: 'ep_nobody' }), 'a service that does not exist')
    },
  },
  {
    id: 'callbacks/events-of-the-device',
    title: 'a configuration receives the events of all services of its application on the device, and of no others',
    rules: ['CB-02', 'CB-04'],
    needs: OWN_CALLBACK,
    run: async (t) => {
      const { arrived, callback, converse, endpointId, requests } = await ownCallback(t, { events: ['run.completed'] })
      const publish = (app: 'first' | 'second') => t.driver.createService({ app, besides: endpointId })
      const [sibling, foreign] = [await publish('first'), await publish('second')]
      const otherApp = t.caller({ app: 'second' })
      const theirs = await t.conversation({ endpoint_id: foreign.endpointId }, otherApp)
      const { run_id } = await t.admit(theirs, t.script({ succeed: {} }), otherApp)
      await t.runEnded(run_id, otherApp)
      await finish(t, await t.conversation())
      const mine = await converse()
      await finish(t, mine, FAILURE)
      await finish(t, mine)
      const second = await t.conversation({ endpoint_id: sibling.endpointId })
      await finish(t, second)
      await arrived(2)
      assert.deepEqual(
        requests()
          .map(({ event }) => `${event.conversation_id} ${event.type}`)
          .sort(),
        [mine, second].map(({ conversation_id: id }) => `${id} run.completed`).sort(),
      )
      assert.equal((await deliveriesOf(t, callback)).length, 2, 'no other event may have a delivery')
    },
  },
  {
    id: 'callbacks/subscription-is-changed',
    title: 'an event is sent if and only if the configuration subscribes to its type when it happens',
    rules: ['CB-04'],
    needs: changing,
    run: async (t) => {
      const { arrived, callback, converse, requests } = await ownCallback(t, { events: ['run.failed'] })
      const conversation = await converse()
      await finish(t, conversation)
      await finish(t, conversation, FAILURE)
      await arrived(1)
      await change(t, callback, { events: ['run.completed'] })
      await finish(t, conversation, FAILURE)
      await finish(t, conversation)
      await arrived(2)
      await change(t, callback, { events: ['run.completed', 'run.failed'] })
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
    title: 'when the URL changes, undelivered callbacks are cancelled and not sent to the new destination',
    rules: ['CB-28'],
    tags: ['security'],
    needs: changing,
    run: async (t) => {
      const { callback, converse, delivery, path } = await ownCallback(t)
      const conversation = await converse()
      t.callbacks.plan(conversation.conversation_id, (attempt, { path: to }) => ({
        status: attempt === 1 && to === path ? 503 : 200,
      }))
      await finish(t, conversation)
      await delivery('an attempt has failed', ({ state, attempts }) => state === 'pending' && attempts === 1)
      await change(t, callback, { url: `${t.callbacks.origin}${path}/new` })
      const cancelled = await delivery('the delivery is cancelled', ({ state }) => state === 'cancelled_config_changed')
      await finish(t, conversation)
      const arrived = () => t.callbacks.all().filter((request) => request.path === `${path}/new`)
      await t.until(
        'the new event',
        async () => arrived(),
        ({ length }) => length >= 1,
      )
      const states = (await deliveriesOf(t, callback)).map(({ state }) => state === 'cancelled_config_changed')
      assert.deepEqual(states.toSorted(), [false, true], 'only the old event must be cancelled')
      assert.ok(!arrived().some((request) => request.header('webhook-id')[0] === cancelled.eventId))
    },
  },
  {
    id: 'callbacks/versions',
    title: 'a new URL and a new secret each create a new version',
    rules: ['CB-34'],
    needs: ['callbacks', 'driver.saveCallback', 'driver.changeCallback', 'driver.rotateCallbackSecret'],
    run: async (t) => {
      const callback = await saved(t)
      const rotate = () => t.driver.rotateCallbackSecret(callback.callbackId)
      const moved = await change(t, callback, { url: `${t.callbacks.origin}/own/${t.fresh()}` })
      const [rotated, again] = [await rotate(), await rotate()]
      assert.equal(
        new Set([callback.secret, rotated.secret, again.secret]).size,
        3,
        'every rotation must create a different secret',
      )
      const versions = [callback, moved, rotated, again].map((one) => versionOf(t, one))
      assert.equal(
        new Set(versions).size,
        4,
        `each change must create a new version, but the versions are ${versions.join(', ')}`,
      )
    },
  },
  {
    id: 'callbacks/secrets-differ',
    title: 'a webhook secret cannot sign callbacks, and a callback secret is not accepted for a webhook',
    rules: ['CB-06', 'SIG-22'],
    tags: ['security'],
    needs: [...OWN_CALLBACK, 'driver.saveWebhook'],
    run: async (t) => {
      const webhook = await savedWebhook(t)
      const asked = await save(t, { secret: webhook.secret })
      assert.ok(asked.refused !== undefined || asked.secret !== webhook.secret, 'a webhook’s secret was accepted')
      const { arrived, callback, converse } = await ownCallback(t)
      const { secret } = callback
      assert.notEqual(secret, webhook.secret)
      expectRefusal(await deliver(t, { ...webhook, secret }, eventOf({ text: 'hello' })), 401)
      await finish(t, await converse())
      const [request] = await arrived(1)
      assert.ok(isSignedBy(request, secret), 'the callback is not signed with its own secret')
    },
  },
]
