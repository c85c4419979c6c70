import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { deliver } from '../../../kit/server/webhook-sender.ts'
import {
  expectWorkAdmitted,
  expectWorkRefused,
  ownDevice,
  sendUntilAdmitted,
  untilUnavailable,
} from '../../../kit/steps/devices.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'
import { whileAdmissionIsPaused, whileDeviceIsOffline } from '../../../kit/steps/suspensions.ts'

const OFFLINE_MS = 30_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'devices/paused-admission-of-webhooks',
    title:
      'while admission is paused a webhook delivery is refused with 503, and the same delivery is accepted afterwards',
    rules: ['DEV-01'],
    needs: ['driver.pauseAdmission', 'driver.resumeAdmission', 'webhooks.new'],
    alone: 'all',
    run: async (t) => {
      const integration = t.config.webhooks?.new ?? t.untestable('the configuration has no webhooks')
      const event = { event: { type: 'conformance.event', text: 'hello' } }
      const id = t.fresh('event')
      await whileAdmissionIsPaused(t, async () => {
        expectStatus(await deliver(t, integration, event, { id }), 503)
      })
      expectStatus(await deliver(t, integration, event, { id }), 202)
    },
  },
  {
    id: 'devices/paused-admission',
    title: 'while admission is paused new work of every kind and service is refused with 503 and stores nothing',
    rules: ['DEV-01'],
    needs: ['driver.pauseAdmission', 'driver.resumeAdmission'],
    alone: 'all',
    run: async (t) => {
      const second = t.caller({ app: 'second' })
      const conversation = await t.conversation()
      const foreign = await t.conversation({ endpoint_id: t.config.services.foreign }, second)
      const { admission: running } = await t.start({ sleep_ms: 300 }, { succeed: { text: 'admitted before' } })
      await whileAdmissionIsPaused(t, async () => {
        await expectWorkRefused(t, conversation, 503, 'CAPABILITY_UNAVAILABLE')
        const refused = await second.send(foreign.conversation_id, t.script({ succeed: {} }))
        expectStatus(refused, 503)
        const run = await t.runEnded(running.run_id)
        assert.equal(
          run.result?.text,
          'admitted before',
          `a run admitted before the pause must finish, got ${JSON.stringify(run.result)}`,
        )
      })
      await expectWorkAdmitted(t, conversation)
    },
  },
  {
    id: 'devices/unavailable-device',
    title: 'while its device is unavailable new work for a service is refused with 503 and stores nothing',
    rules: ['DEV-02'],
    needs: ['driver.createService', 'driver.takeDeviceOffline', 'driver.bringDeviceOnline', 'driver.moveClock'],
    alone: 'all',
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const probe = await t.conversation({ endpoint_id: endpointId })
      const elsewhere = await t.conversation()
      await whileDeviceIsOffline(t, endpointId, async () => {
        await untilUnavailable(t, probe)
        await sendUntilAdmitted(t, elsewhere, { succeed: {} })
        await expectWorkRefused(t, conversation, 503, 'CAPABILITY_UNAVAILABLE')
      })
      await sendUntilAdmitted(t, conversation, { succeed: {} })
    },
  },
  {
    id: 'devices/offline-for-30-seconds',
    title:
      'work for a device that went offline is admitted for 30 seconds and refused with 503 afterwards, until it is back',
    rules: ['DEV-05', 'DEV-04', 'DEV-08'],
    needs: ['driver.createService', 'driver.takeDeviceOffline', 'driver.bringDeviceOnline', 'driver.moveClock'],
    tags: ['limit'],
    alone: 'all',
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const online = t.now()
      await whileDeviceIsOffline(t, endpointId, async () => {
        const offlineMs = t.now() - online
        if (offlineMs > OFFLINE_MS - 10_000) t.untestable(`taking the device offline took ${offlineMs} ms`)
        await expectWorkAdmitted(t, conversation)
        const left = online + OFFLINE_MS - 7000 - t.now()
        if (left > 0) await t.driver.moveClock(left)
        const sent = await t.me.send(conversation.conversation_id, t.script({ succeed: {} }))
        expectStatus(sent, 202)
        await t.driver.moveClock(8500)
        await expectWorkRefused(t, conversation, 503, 'CAPABILITY_UNAVAILABLE')
        await t.conversation({ endpoint_id: endpointId })
      })
      await sendUntilAdmitted(t, conversation, { succeed: {} })
    },
  },
  {
    id: 'devices/heartbeat-keeps-online',
    title: 'a device with a live worker accepts work after any length of time',
    rules: ['DEV-04'],
    needs: ['driver.createService', 'driver.moveClock'],
    alone: 'all',
    run: async (t) => {
      const { conversation } = await ownDevice(t)
      for (const _ of [1, 2, 3]) {
        await t.driver.moveClock(OFFLINE_MS * 2)
        const { run_id: runId } = await sendUntilAdmitted(t, conversation, { succeed: {} })
        await t.runEnded(runId)
      }
    },
  },
  {
    id: 'devices/paused-device',
    title: 'new work for a paused device is refused with 503 and stores nothing; a conversation can be created',
    rules: ['DEV-06', 'DEV-08'],
    needs: ['driver.createService', 'driver.pauseDevice', 'driver.resumeDevice'],
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const elsewhere = await t.conversation()
      await t.driver.pauseDevice(endpointId)
      await expectWorkRefused(t, conversation, 503, 'CAPABILITY_UNAVAILABLE')
      await t.admit(elsewhere, t.script({ succeed: {} }))
      const created = await t.conversation({ endpoint_id: endpointId, conversation_key: t.fresh('order') })
      await expectWorkRefused(t, created, 503, 'CAPABILITY_UNAVAILABLE')
      await t.driver.resumeDevice(endpointId)
      await expectWorkAdmitted(t, conversation)
    },
  },
  {
    id: 'devices/disabled-device',
    title:
      'new work for a disabled device is refused with 403 and stores nothing; a conversation can be created, and existing records can be read',
    rules: ['DEV-07', 'DEV-08'],
    needs: ['driver.createService', 'driver.disableDevice', 'driver.enableDevice'],
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const elsewhere = await t.conversation()
      const before = await runToEnd(t, conversation, t.script({ succeed: { text: 'before' } }))
      await t.driver.disableDevice(endpointId)
      await expectWorkRefused(t, conversation, 403, 'PERMISSION_DENIED')
      await t.admit(elsewhere, t.script({ succeed: {} }))
      const created = await t.conversation({ endpoint_id: endpointId })
      await expectWorkRefused(t, created, 403, 'PERMISSION_DENIED')
      assert.equal((await t.runEnded(before.run_id)).result?.text, 'before')
      expectStatus(await t.me.history(conversation.conversation_id), 200)
      await t.driver.enableDevice(endpointId)
      await expectWorkAdmitted(t, conversation)
    },
  },
]
