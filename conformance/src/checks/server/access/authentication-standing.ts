import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf } from '../../../kit/server/webhook-sender.ts'
import { ownDevice } from '../../../kit/steps/devices.ts'
import { finishedRecords, readAll } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'
import { whileAppIsDisabled, whileDeviceIsDisabled } from '../../../kit/steps/suspensions.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'authentication/disabled-app-has-no-access',
    title: 'while an application is disabled its keys are refused with 401 or 403, and work again afterwards',
    rules: ['ERR-03'],
    needs: ['driver.disableApp', 'driver.enableApp'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      const caller = t.caller({ app: 'second' })
      const ids = await finishedRecords(t, caller, t.config.services.foreign)
      await whileAppIsDisabled(t, 'second', async () => {
        for (const route of bearerRoutes(t)) expectStatus(await ask(caller, route, ids), 401, 403)
      })
      expectStatus(await caller.run(ids.run), 200)
    },
  },
  {
    id: 'authentication/disabled-app-is-403',
    title:
      'every bearer route, reads included, answers 403 PERMISSION_DENIED to keys of a disabled application, but not to other keys',
    rules: ['AUTH-21', 'ERR-26'],
    tags: ['security'],
    needs: ['driver.disableApp', 'driver.enableApp'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      const caller = t.caller({ app: 'second' })
      const ids = await finishedRecords(t, caller, t.config.services.foreign)
      const mine = await t.conversation()
      const before = await readAll(t, ids, caller)
      await whileAppIsDisabled(t, 'second', async () => {
        for (const route of bearerRoutes(t)) expectRefusal(await ask(caller, route, ids), 403, 'PERMISSION_DENIED')
        expectStatus(await t.me.snapshot(mine.conversation_id), 200)
        const unknown = t.caller({ app: 'second', apiKey: `${caller.apiKey.slice(0, -1)}` })
        expectRefusal(await unknown.run(ids.run), 401, 'UNAUTHENTICATED')
      })
      assert.deepEqual(await readAll(t, ids, caller), before)
    },
  },
  {
    id: 'authentication/disabled-device-takes-no-work',
    title: 'while the device of a service is disabled, new work there is refused with 401, 403 or 503',
    rules: ['ERR-03'],
    needs: ['driver.createService', 'driver.disableDevice', 'driver.enableDevice'],
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const { conversation_id: id } = conversation
      await whileDeviceIsDisabled(t, endpointId, async () => {
        // The specification leaves open whether the status is about permission (401, 403) or availability (503). D-05
        // decides: 403.
        const statuses = t.profile === 'core' ? [401, 403, 503] : [403]
        expectStatus(await t.me.send(id, { text: 'x' }), ...statuses)
        expectStatus(await t.me.createRun(endpointId, { input: { text: 'x' } }), ...statuses)
        assert.equal((await readSnapshot(t, id)).runs.length, 0)
      })
      await runToEnd(t, conversation, t.script({ succeed: { text: 'x' } }))
    },
  },
  {
    id: 'authentication/disabled-device-is-403',
    title:
      'a message or direct run for a disabled device is 403 PERMISSION_DENIED, with and without a conversation_key',
    rules: ['AUTH-22', 'ERR-26'],
    needs: ['driver.createService', 'driver.disableDevice', 'driver.enableDevice'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const key = t.fresh('order')
      const { conversation_id: id } = await t.conversation({ endpoint_id: endpointId, conversation_key: key })
      const elsewhere = await t.conversation()
      const input = { text: 'x' }
      await whileDeviceIsDisabled(t, endpointId, async () => {
        const refused = [
          await t.me.send(id, input),
          await t.me.createRun(endpointId, { input }),
          await t.me.createRun(endpointId, { input, conversation_key: key }),
          await t.me.createRun(endpointId, { input, conversation_key: t.fresh('new') }),
        ]
        for (const answer of refused) expectRefusal(answer, 403, 'PERMISSION_DENIED')
        await t.admit(elsewhere, t.script({ succeed: { text: 'another device is not affected' } }))
        const { text } = await t.me.listConversations(`endpoint_id=${endpointId}`)
        assert.equal(text.split('"conversation_id"').length - 1, 1, 'a refused direct run created a conversation')
      })
    },
  },
  {
    id: 'authentication/disabled-device-refuses-webhooks',
    title: 'a webhook that would start work on a disabled device is 403 PERMISSION_DENIED',
    rules: ['AUTH-22', 'ERR-26'],
    needs: ['webhooks.new', 'driver.disableDevice', 'driver.enableDevice'],
    alone: 'all',
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const event = eventOf({ text: 'x' })
      await whileDeviceIsDisabled(t, t.config.services.main, async () => {
        expectRefusal(await deliver(t, integration, event), 403, 'PERMISSION_DENIED')
      })
      expectStatus(await deliver(t, integration, event), 202)
    },
  },
  {
    id: 'authentication/disabled-device-is-readable',
    title: 'existing records of a disabled device stay readable on every route, including streams',
    rules: ['AUTH-23'],
    needs: ['driver.createService', 'driver.disableDevice', 'driver.enableDevice'],
    streams: 1,
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const ids = await finishedRecords(t, t.me, endpointId)
      const before = await readAll(t, ids)
      await whileDeviceIsDisabled(t, endpointId, async () => {
        for (const route of bearerRoutes(t).filter(({ method }) => method === 'GET'))
          expectStatus(await ask(t.me, route, ids), 200)
        assert.deepEqual(await readAll(t, ids), before)
        const stream = await t.me.runEvents(ids.run, { after: 0 })
        await stream.event('run.completed', ({ type }) => type === 'run.completed')
      })
    },
  },
]
