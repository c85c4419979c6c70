import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { ownDevice, sendUntilAdmitted } from '../../../kit/steps/devices.ts'
import {
  closeStream,
  endsRun,
  expectStartedOnce,
  ofType,
  readRunEvents,
  streamedText,
  typesOf,
} from '../../../kit/steps/events.ts'
import { expectRunEnd, expectRunState, readRun } from '../../../kit/steps/runs.ts'
import { whileDeviceIsOffline } from '../../../kit/steps/suspensions.ts'

/** Together they take much longer than a lease. Each piece arrives before a wait on the stream times out. */
const LONG_PIECES = [1, 2, 3, 4]
const PIECE_MS = 11_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'devices/executes-its-own-services',
    title:
      'work for an offline device waits, and no other device executes it; services of other devices are not affected',
    rules: ['DEV-03', 'DEV-09'],
    needs: ['driver.createService', 'driver.takeDeviceOffline', 'driver.bringDeviceOnline'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const services = [t.config.services.main, t.config.services.sameDevice ?? t.config.services.main]
      const elsewhere = await Promise.all(services.map((service) => t.conversation({ endpoint_id: service })))
      const waiting = await whileDeviceIsOffline(t, endpointId, async () => {
        const { run_id: runId } = await t.admit(
          conversation,
          t.script({ delta: 'late' }, { succeed: { text: 'late' } }),
        )
        for (const other of elsewhere)
          await expectRunEnd(t, (await sendUntilAdmitted(t, other, { succeed: {} })).run_id, 'succeeded')
        const { state, delivery_state } = await readRun(t, runId)
        assert.deepEqual({ state, delivery_state }, { state: 'queued', delivery_state: 'waiting_device' })
        return runId
      })
      const run = await t.runEnded(waiting)
      assert.deepEqual([run.state, run.delivery_state, run.result?.text], ['succeeded', 'device_received', 'late'])
      const events = await readRunEvents(t, waiting, 'the end of the run', (seen) => seen.some(endsRun(waiting)))
      expectStartedOnce(events)
    },
  },
  {
    id: 'devices/waits-no-longer-than-its-start',
    title:
      'a run whose device stays offline past its start_before expires, and is not executed when the device returns',
    rules: ['DEV-09'],
    needs: ['driver.createService', 'driver.takeDeviceOffline', 'driver.bringDeviceOnline', 'driver.moveClock'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const other = await t.conversation({ endpoint_id: endpointId })
      const { late, inTime } = await whileDeviceIsOffline(t, endpointId, async () => {
        const sent = await t.me.send(conversation.conversation_id, t.script({ delta: 'never' }), {
          startBefore: new Date(t.now() + 60_000).toISOString(),
        })
        const { run_id: late } = expectStatus(sent, 202).body
        const { run_id: inTime } = await t.admit(other, t.script({ succeed: { text: 'in time' } }))
        await t.driver.moveClock(61_000)
        await expectRunEnd(t, late, 'expired')
        await expectRunState(t, inTime, 'queued')
        return { late, inTime }
      })
      assert.equal((await t.runEnded(inTime)).result?.text, 'in time')
      const events = await readRunEvents(t, late, 'the end of the run', (seen) => seen.some(endsRun(late)))
      assert.ok(
        !typesOf(events).includes('run.started'),
        `the expired run has the events ${typesOf(events).join(', ')}`,
      )
    },
  },
  {
    id: 'devices/each-run-once',
    title: 'each of many concurrently admitted runs is executed once',
    rules: ['DEV-10', 'DEV-16'],
    tags: ['race'],
    streams: 1,
    run: async (t) => {
      const runIds = await Promise.all(
        Array.from(
          { length: 20 },
          async (_, at) => (await t.start({ delta: `run ${at}` }, { sleep_ms: 20 })).admission.run_id,
        ),
      )
      for (const [at, runId] of runIds.entries()) {
        assert.equal((await t.runEnded(runId)).result?.text, `run ${at}`)
        const events = await readRunEvents(t, runId, 'the end of the run', (seen) => seen.some(endsRun(runId)))
        expectStartedOnce(events)
        assert.equal(streamedText(events), `run ${at}`)
      }
    },
  },
  {
    id: 'devices/lease-is-renewed',
    title: 'a run longer than a lease is never considered lost while its device executes it',
    rules: ['DEV-11'],
    tags: ['slow'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start(
        ...LONG_PIECES.flatMap((piece) => [{ delta: `${piece} ` }, { sleep_ms: PIECE_MS }]),
        { succeed: { text: 'at last' } },
      )
      const stream = await t.me.runEvents(admission.run_id)
      for (const piece of LONG_PIECES) {
        await stream.until(`piece ${piece}`, ({ events }) => streamedText(events).includes(`${piece} `))
        await expectRunState(t, admission.run_id, 'running')
      }
      await stream.event('the end of the run', endsRun(admission.run_id))
      await closeStream(stream)
      const updates = ofType(stream.events, 'run.updated').map(({ payload }) => Object(payload).state)
      const unexpected = updates.filter((state) => state !== 'queued')
      assert.deepEqual(
        unexpected,
        [],
        `run.updated must not report ${unexpected.join(', ')} while the device executes the run`,
      )
      assert.equal((await t.runEnded(admission.run_id)).result?.text, 'at last')
    },
  },
]
