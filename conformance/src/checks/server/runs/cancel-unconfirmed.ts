import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { sendUntilAdmitted } from '../../../kit/steps/devices.ts'
import { moveClockAndSettle } from '../../../kit/steps/moved-clock.ts'
import {
  expectAllowedStates,
  expectOperationEnd,
  followOperation,
  readOperation,
} from '../../../kit/steps/operation-paths.ts'
import { readRun } from '../../../kit/steps/runs.ts'

const STOP_WINDOW_MS = 60_000
/** The rest of the stop window after the first move of the clock. It is enough for the requests on a busy machine. */
const REMAINDER_MS = 10_000
/** Longer than the silence after which a device is considered offline (D-43). */
const DEVICE_OFFLINE_MS = 31_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'cancel/stop-window',
    title:
      'a stop that is not confirmed fails its operations after 60 seconds, not earlier, and leaves the run reconciling',
    rules: ['CANCEL-12', 'CANCEL-13', 'CANCEL-14'],
    tags: ['slow', 'limit'],
    alone: 'all',
    needs: ['driver.moveClock'],
    run: async (t) => {
      const { admission } = await t.startIn('running', { ignore_stop: true }, { hang: true })
      const { run_id: runId } = admission
      const { body: control } = expectStatus(await t.me.cancel(runId), 202)
      const askedAt = t.now()
      await moveClockAndSettle(t, STOP_WINDOW_MS - REMAINDER_MS)
      const { body: second } = expectStatus(await t.me.cancel(runId), 202)
      // Moving the clock may have made the gateway consider the run lost.
      await t.runIn(runId, ['cancelling'])
      const early = (await readOperation(t, control.operation_id)).state
      if (t.now() < askedAt + STOP_WINDOW_MS)
        assert.equal(early, 'stopping', `the operation is ${early} before its 60 seconds are over`)
      await t.driver.moveClock(Math.max(askedAt + STOP_WINDOW_MS - t.now(), 0))
      await t.runIn(runId, ['reconciling'])
      await expectOperationEnd(t, control.operation_id, 'failed')
      await expectOperationEnd(
        t,
        second.operation_id,
        'failed',
        'the second cancel did not fail together with the first one',
      )
    },
  },
  {
    id: 'cancel/waits-for-the-device',
    title:
      'while the device is offline the cancel of a started run waits, and completes once the outcome of the run is known',
    rules: ['CANCEL-09', 'OPER-14', 'OPER-15', 'OPER-16'],
    tags: ['slow'],
    alone: 'all',
    needs: ['driver.takeDeviceOffline', 'driver.bringDeviceOnline', 'driver.moveClock', 'services.otherDevice'],
    run: async (t) => {
      const service = t.config.services.otherDevice ?? ''
      const conversation = await t.conversation({ endpoint_id: service })
      const { run_id: runId } = await sendUntilAdmitted(t, conversation, { hang: true })
      await t.runIn(runId, ['running'])
      let isOffline = true
      await t.driver.takeDeviceOffline(service)
      try {
        await t.driver.moveClock(DEVICE_OFFLINE_MS)
        if ((await readRun(t, runId)).state === 'interrupted')
          t.untestable('the gateway knows that no process can still report the run, and has interrupted it (D-60)')
        const { body: control } = expectStatus(await t.me.cancel(runId), 202)
        assert.equal(
          control.state,
          'waiting_device',
          `the device is offline, and the cancel was answered with the operation state ${control.state}`,
        )
        assert.equal((await readOperation(t, control.operation_id)).state, 'waiting_device')
        assert.ok(['cancelling', 'reconciling'].includes((await readRun(t, runId)).state))
        await t.driver.bringDeviceOnline(service)
        isOffline = false
        await t.driver.moveClock(2 * STOP_WINDOW_MS)
        const states = await followOperation(t, control)
        expectAllowedStates(states)
        const run = await t.runEnded(runId)
        assert.notEqual(run.state, 'succeeded', 'the device reported no outcome, but the run has succeeded')
        const { state } = await readOperation(t, control.operation_id)
        assert.equal(state, states.at(-1), `the operation ended as ${states.at(-1)} and is now ${state}`)
      } finally {
        if (isOffline) await t.driver.bringDeviceOnline(service)
      }
    },
  },
]
