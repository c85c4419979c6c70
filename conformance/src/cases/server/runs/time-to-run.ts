import assert from 'node:assert/strict'
import type { Run } from '#openapi/generated/gateway'
import { moveUntil } from '../../../steps/server/devices.ts'
import { ofType, payloadOf } from '../../../steps/server/events.ts'
import { moveClockAndSettle } from '../../../steps/server/moved-clock.ts'
import type { ServerCheck } from '../../../targets/server/system.ts'

const MINUTE_MS = 60_000
/** What a published version allows unless it says otherwise. */
const MAX_RUN_MS = 60 * MINUTE_MS

const expectTimeout = ({ state, result }: Run): void => {
  assert.equal(state, 'failed', 'the run whose time was over')
  assert.partialDeepStrictEqual(result?.error, { code: 'RUN_TIMEOUT', retryable: false })
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'runs/time-is-over',
    title: 'a run that executes for longer than an hour is stopped and fails with RUN_TIMEOUT, and not earlier',
    rules: ['RUN-44'],
    tags: ['limit'],
    alone: 'all',
    needs: ['driver.moveClock'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'so far' }, { hang: true })
      await t.runIn(admission.run_id, ['running'])
      const startedBy = t.now()
      for (const moveMs of [30 * MINUTE_MS, 28 * MINUTE_MS]) {
        await moveClockAndSettle(t, moveMs)
        // Its device may have been taken for lost while the clock was moved; moved once more, it would stay so.
        if (t.now() < startedBy + MAX_RUN_MS) await t.runIn(admission.run_id, ['running'])
      }
      const next = await t.admit(conversation, t.script({ succeed: {} }))
      await t.driver.moveClock(Math.max(startedBy + MAX_RUN_MS - t.now(), 0))
      const run = await t.runEnded(admission.run_id)
      expectTimeout(run)
      assert.equal(run.result?.text, 'so far', 'what it had put out')
      assert.equal((await t.runEnded(next.run_id)).state, 'succeeded', 'the next run of the conversation')
    },
  },
  {
    id: 'runs/time-is-over-for-the-deaf',
    title: 'a run whose time is over fails with RUN_TIMEOUT although its assistant never stops',
    rules: ['RUN-45'],
    tags: ['limit'],
    alone: 'all',
    needs: ['driver.moveClock'],
    run: async (t) => {
      const { admission } = await t.start({ ignore_stop: true }, { hang: true })
      await t.runIn(admission.run_id, ['running'])
      await t.driver.moveClock(MAX_RUN_MS + MINUTE_MS)
      await t.runIn(admission.run_id, ['cancelling', 'reconciling', 'failed'])
      // By steps in which its device is heard of, so that it is not lost besides.
      await moveUntil(t, admission.run_id, ['failed'], { stepMs: MINUTE_MS / 6, steps: 12 })
      expectTimeout(await t.runEnded(admission.run_id))
    },
  },
  {
    id: 'runs/time-of-approvals',
    title: 'the hours in which a run waits for an approval are no part of its time',
    rules: ['RUN-46'],
    tags: ['limit'],
    alone: 'all',
    streams: 1,
    needs: ['driver.moveClock', 'driver.decideApproval'],
    run: async (t) => {
      const { admission } = await t.start({ approval: 'May I?' }, { succeed: { text: 'allowed' } })
      const stream = await t.me.runEvents(admission.run_id)
      await stream.event('approval.required', ({ type }) => type === 'approval.required')
      await t.runIn(admission.run_id, ['waiting_approval'])
      await moveClockAndSettle(t, 3 * MAX_RUN_MS)
      await t.runIn(admission.run_id, ['waiting_approval'])
      const [asked] = ofType(stream.events, 'approval.required')
      await t.driver.decideApproval(String(payloadOf(asked ?? assert.fail()).approval_id), 'approved')
      const { state, result } = await t.runEnded(admission.run_id)
      assert.deepEqual([state, result?.text], ['succeeded', 'allowed'])
    },
  },
]
