import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { untilUnavailable } from '../../../kit/steps/devices.ts'
import { whileAdmissionIsPaused, whileDeviceIsOffline } from '../../../kit/steps/suspensions.ts'
import {
  countAdmitted,
  expectRefused,
  openWorkRoutes,
  refuseOnRoutes,
  type WorkRoute,
} from '../../../kit/steps/work-routes.ts'

const expectCapabilityUnavailable = (t: ServerContext, routes: readonly WorkRoute[]): Promise<void> =>
  refuseOnRoutes(
    t,
    async (route) => {
      for (const input of [{ text: 'hello' }, t.script({ succeed: {} })])
        await expectRefused(route.name, route.post({ input }), 503, 'CAPABILITY_UNAVAILABLE')
    },
    routes,
  )

/** Waits until both routes admit work again. */
async function expectCapable(t: ServerContext, endpointId: string): Promise<void> {
  for (const route of await openWorkRoutes(t, endpointId)) {
    await t.until(
      `${route.name} is admitted again`,
      async () => (await route.post({ input: t.script({ succeed: {} }) })).status,
      (status) => status >= 200 && status < 300,
    )
    assert.equal(await countAdmitted(t, route), 1)
  }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'messages/paused-device',
    title:
      'while its device is paused a message is 503 CAPABILITY_UNAVAILABLE and is not stored; afterwards it is admitted',
    rules: ['MSG-24', 'MSG-25'],
    needs: ['driver.createService', 'driver.pauseDevice', 'driver.resumeDevice'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      await expectCapable(t, endpointId)
      const routes = await openWorkRoutes(t, endpointId)
      await t.driver.pauseDevice(endpointId)
      await expectCapabilityUnavailable(t, routes)
      const { conversation_id: elsewhere } = await t.conversation()
      expectStatus(await t.me.send(elsewhere, t.script({ succeed: {} })), 202)
      await t.driver.resumeDevice(endpointId)
      await expectCapable(t, endpointId)
    },
  },
  {
    id: 'messages/paused-admission',
    title: 'while admission is paused no application can start work: 503 CAPABILITY_UNAVAILABLE on both routes',
    rules: ['MSG-24', 'MSG-25'],
    alone: 'all',
    needs: ['driver.pauseAdmission', 'driver.resumeAdmission'],
    run: async (t) => {
      const other = t.caller({ app: 'second' })
      const foreign = await t.conversation({ endpoint_id: t.config.services.foreign }, other)
      const routes = await openWorkRoutes(t)
      await whileAdmissionIsPaused(t, async () => {
        await expectCapabilityUnavailable(t, routes)
        expectRefusal(await other.send(foreign.conversation_id, { text: 'x' }), 503, 'CAPABILITY_UNAVAILABLE')
        assert.deepEqual(expectStatus(await other.snapshot(foreign.conversation_id), 200).body.runs, [])
      })
      await expectCapable(t, t.config.services.main)
    },
  },
  {
    id: 'messages/unreachable-device',
    title: 'while its device is offline a message is 503 CAPABILITY_UNAVAILABLE; other devices still get work',
    rules: ['MSG-24', 'MSG-25'],
    tags: ['slow'],
    alone: 'all',
    needs: ['driver.takeDeviceOffline', 'driver.bringDeviceOnline', 'driver.moveClock', 'services.otherDevice'],
    run: async (t) => {
      const { main, otherDevice = '' } = t.config.services
      const conversation = await t.conversation({ endpoint_id: otherDevice })
      const routes = await openWorkRoutes(t, otherDevice)
      await whileDeviceIsOffline(t, otherDevice, async () => {
        await untilUnavailable(t, conversation)
        await expectCapabilityUnavailable(t, routes)
        await expectCapable(t, main)
      })
      await expectCapable(t, otherDevice)
    },
  },
]
