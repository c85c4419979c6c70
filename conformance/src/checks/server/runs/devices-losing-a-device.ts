import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { moveUntil, ownDevice, sendUntilAdmitted } from '../../../kit/steps/devices.ts'
import {
  closeStream,
  endsRun,
  expectStartedOnce,
  ofType,
  readEvents,
  readRunEvents,
  streamedText,
} from '../../../kit/steps/events.ts'
import { expectRunEnd, readRun } from '../../../kit/steps/runs.ts'
import { whileDeviceIsOffline } from '../../../kit/steps/suspensions.ts'

const WINDOW_MS = 60_000

/** A run that its worker dropped without a report after some output. */
async function dropped(t: ServerContext): Promise<string> {
  const { admission } = await t.start({ delta: 'half' }, { sleep_ms: 50 }, { crash: true })
  const stream = await t.me.runEvents(admission.run_id)
  await stream.event('output', ({ type }) => type === 'assistant.delta')
  await closeStream(stream)
  return admission.run_id
}

/**
 * Waits until the gateway has applied all changes that are due at that time. This is the case once a message with that
 * start_before has expired.
 */
async function untilDueChangesApplied(t: ServerContext, before: number): Promise<void> {
  const conversation = await t.conversation()
  await sendUntilAdmitted(t, conversation, { hang: true })
  const marker = await t.me.send(conversation.conversation_id, t.script({ succeed: {} }), {
    startBefore: new Date(before).toISOString(),
  })
  const { run_id: runId } = expectStatus(marker, 202).body
  const left = before + 500 - t.now()
  if (left > 0) await t.driver.moveClock(left)
  await expectRunEnd(t, runId, 'expired')
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'devices/lease-ends',
    title: 'a run whose lease expires during execution becomes reconciling: its output is kept, and it is not terminal',
    rules: ['DEV-12'],
    needs: ['driver.moveClock'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      const runId = await dropped(t)
      const { state } = await readRun(t, runId)
      // The worker drops the lease (D-45). The gateway may notice that at once, or when the lease would have ended.
      assert.ok(
        state === 'running' || state === 'reconciling',
        `a run whose lease was dropped must be running or reconciling, got ${state}`,
      )
      if (state === 'running') await moveUntil(t, runId, ['reconciling'])
      const events = await readRunEvents(t, runId, 'run.updated with reconciling', (seen) =>
        ofType(seen, 'run.updated').some(({ payload }) => Object(payload).state === 'reconciling'),
      )
      assert.equal(streamedText(events), 'half')
    },
  },
  {
    id: 'devices/reconciliation-window',
    title: 'a run without a report stays reconciling for 60 seconds and is then interrupted',
    rules: ['DEV-14', 'DEV-15', 'EVT-19', 'EVT-22'],
    needs: ['driver.moveClock'],
    tags: ['limit'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      const runId = await dropped(t)
      await moveUntil(t, runId, ['reconciling'])
      const since = Date.parse((await readRun(t, runId)).updated_at)
      await untilDueChangesApplied(t, since + WINDOW_MS - 5000)
      const { state } = await readRun(t, runId)
      if (t.now() < since + WINDOW_MS)
        assert.equal(state, 'reconciling', `the run is ${state} 5 seconds before its 60 seconds of reconciliation end`)
      const left = since + WINDOW_MS + 500 - t.now()
      if (left > 0) await t.driver.moveClock(left)
      const run = await expectRunEnd(t, runId, 'interrupted')
      const events = await readRunEvents(t, runId, 'the end of the run', (seen) => seen.some(endsRun(runId)))
      assert.partialDeepStrictEqual(
        events
          .filter(({ type }) => type.startsWith('run.'))
          .slice(-2)
          .map(({ type, payload }) => ({ type, payload })),
        [
          { type: 'run.updated', payload: { state: 'reconciling', delivery_state: run.delivery_state } },
          { type: 'run.interrupted', payload: { state: 'interrupted', result: run.result } },
        ],
      )
    },
  },
  {
    id: 'devices/comes-back-in-time',
    title: 'a device that was considered lost reports the real outcome later, and the run takes that outcome',
    rules: ['DEV-13', 'DEV-16'],
    needs: ['driver.moveClock'],
    tags: ['slow'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start(
        { delta: 'before ' },
        { sleep_ms: 16_000 },
        { delta: 'after' },
        { succeed: { text: 'what really happened' } },
      )
      const runId = admission.run_id
      const stream = await t.me.runEvents(runId)
      await stream.event('output', ({ type }) => type === 'assistant.delta')
      const wasLost = (): boolean =>
        ofType(stream.events, 'run.updated').some(({ payload }) => Object(payload).state === 'reconciling')
      // Moves the clock past the end of the lease, and again if the device renews the lease before the gateway notices.
      while (!wasLost() && !stream.events.some(endsRun(runId))) {
        await t.driver.moveClock(45_000)
        for (let look = 0; look < 4 && !wasLost(); look += 1) await t.quiet()
      }
      if (!wasLost()) t.untestable('the device always renewed its lease before the gateway saw that it had ended')
      await stream.event('the end of the run', endsRun(runId))
      const run = await t.runEnded(runId)
      assert.deepEqual([run.state, run.result?.text], ['succeeded', 'what really happened'])
      expectStartedOnce(stream.events)
      assert.equal(streamedText(stream.events), 'before after')
    },
  },
  {
    id: 'devices/interrupted-at-the-next-start',
    title:
      'with a database that only one process can open, a run that was executing at a kill is interrupted after the restart',
    rules: ['DEV-18'],
    needs: ['driver.restartServer'],
    tags: ['durability'],
    alone: 'all',
    run: async (t) => {
      const ready = expectStatus(await t.send({ method: 'GET', path: '/readyz' }), 200).body
      if (!/embedded/i.test(JSON.stringify(ready)))
        t.untestable('/readyz does not name the embedded database, which only one process at a time can open')
      const { conversation, admission } = await t.start({ delta: 'once' }, { hang: true })
      const next = await t.admit(conversation, t.script({ succeed: {} }))
      await t.runIn(admission.run_id, ['running'])
      await t.driver.restartServer()
      assert.equal((await readRun(t, admission.run_id)).state, 'interrupted')
      await expectRunEnd(t, next.run_id, 'succeeded')
    },
  },
  {
    id: 'devices/never-executed-again',
    title:
      'a run that had started when the gateway was killed is not executed again; the next run starts once it has ended',
    rules: ['DEV-16', 'DEV-14'],
    needs: ['driver.restartServer', 'driver.moveClock'],
    tags: ['durability'],
    alone: 'all',
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'once' }, { hang: true })
      const next = await t.admit(conversation, t.script({ delta: 'next' }, { succeed: {} }))
      await readEvents(t, conversation.conversation_id, 'output', (seen) => streamedText(seen) === 'once')
      await t.driver.restartServer()
      const before = await readRun(t, admission.run_id)
      // If no process could still report the run, the gateway interrupts it without waiting (D-60).
      assert.ok(
        ['running', 'reconciling', 'interrupted'].includes(before.state),
        `the run is ${before.state} right after the restart`,
      )
      if (before.state === 'running') await moveUntil(t, admission.run_id, ['reconciling', 'interrupted'])
      await t.driver.moveClock(WINDOW_MS + 1000)
      await expectRunEnd(t, admission.run_id, 'interrupted')
      await t.runEnded(next.run_id)
      const events = await readEvents(t, conversation.conversation_id, 'the end of the next run', (seen) =>
        seen.some(endsRun(next.run_id)),
      )
      const own = events.filter(({ run_id }) => run_id === admission.run_id)
      expectStartedOnce(own)
      assert.equal(streamedText(own), 'once', `the output of the lost run is "${streamedText(own)}", expected "once"`)
    },
  },
  {
    id: 'devices/away-in-mid-run',
    title:
      'a run whose device goes offline is interrupted once its lease and the window have ended, and stays interrupted',
    rules: ['DEV-12', 'DEV-14', 'DEV-16'],
    needs: ['driver.createService', 'driver.takeDeviceOffline', 'driver.bringDeviceOnline', 'driver.moveClock'],
    streams: 1,
    tags: ['slow'],
    alone: 'all',
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const id = conversation.conversation_id
      const { run_id: runId } = await t.admit(conversation, t.script({ delta: 'once' }, { hang: true }))
      await readEvents(t, id, 'output', (seen) => streamedText(seen) === 'once')
      await whileDeviceIsOffline(t, endpointId, async () => {
        const { state } = await readRun(t, runId)
        // If no process could still report the run, the gateway interrupts it without waiting (D-60).
        if (state === 'running') await moveUntil(t, runId, ['reconciling', 'interrupted'])
        await t.driver.moveClock(WINDOW_MS + 1000)
        await expectRunEnd(t, runId, 'interrupted')
      })
      const lost = await readRun(t, runId)
      const next = await sendUntilAdmitted(t, conversation, { delta: 'next' }, { succeed: {} })
      await t.runEnded(next.run_id)
      assert.deepEqual(await readRun(t, runId), lost, 'the run has changed after its end')
      const events = await readEvents(t, id, 'the end of the next run', (seen) => seen.some(endsRun(next.run_id)))
      const own = events.filter(({ run_id }) => run_id === runId)
      expectStartedOnce(own)
      assert.equal(streamedText(own), 'once', `the output of the lost run is "${streamedText(own)}", expected "once"`)
    },
  },
]
