import assert from 'node:assert/strict'
import type { Run } from '#openapi/generated/gateway'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { moveUntil } from '../../../kit/steps/devices.ts'
import { ofType, payloadOf } from '../../../kit/steps/events.ts'
import { moveClockAndSettle } from '../../../kit/steps/moved-clock.ts'
import { expectRunEnd } from '../../../kit/steps/runs.ts'

const MINUTE_MS = 60_000
/** The default time limit of a published version. */
const MAX_RUN_MS = 60 * MINUTE_MS

/** How long a run works before it asks for an approval: long enough to move the clock in that time. */
const WORK_MS = 8000

const expectTimeout = ({ state, result }: Run): void => {
  assert.equal(state, 'failed', `a run past its time limit is ${state}, expected failed`)
  assert.partialDeepStrictEqual(result?.error, { code: 'RUN_TIMEOUT', retryable: false })
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'runs/time-is-over',
    title: 'a run is stopped and fails with RUN_TIMEOUT once it has executed for an hour, and not earlier',
    rules: ['RUN-44'],
    tags: ['limit'],
    alone: 'all',
    needs: ['driver.moveClock'],
    run: async (t) => {
      const { conversation, admission } = await t.startIn('running', { delta: 'so far' }, { hang: true })
      const startedBy = t.now()
      for (const moveMs of [30 * MINUTE_MS, 28 * MINUTE_MS]) {
        await moveClockAndSettle(t, moveMs)
        // Moving the clock may have made the gateway consider the run lost. Wait until its device reports it again.
        if (t.now() < startedBy + MAX_RUN_MS) await t.runIn(admission.run_id, ['running'])
      }
      const next = await t.admit(conversation, t.script({ succeed: {} }))
      await t.driver.moveClock(Math.max(startedBy + MAX_RUN_MS - t.now(), 0))
      const run = await t.runEnded(admission.run_id)
      expectTimeout(run)
      await expectRunEnd(t, next.run_id, 'succeeded', 'the next run of the conversation did not start')
    },
  },
  {
    id: 'runs/time-is-over-for-the-deaf',
    title: 'a run past its time limit fails with RUN_TIMEOUT even if its assistant never stops',
    rules: ['RUN-45'],
    tags: ['limit'],
    alone: 'all',
    needs: ['driver.moveClock'],
    run: async (t) => {
      const { admission } = await t.startIn('running', { ignore_stop: true }, { hang: true })
      await t.driver.moveClock(MAX_RUN_MS + MINUTE_MS)
      await t.runIn(admission.run_id, ['cancelling', 'reconciling', 'failed'])
      // Move the clock in steps, so that the device can send heartbeats and the run is not lost.
      await moveUntil(t, admission.run_id, ['failed'], { stepMs: MINUTE_MS / 6, steps: 12 })
      expectTimeout(await t.runEnded(admission.run_id))
    },
  },
  {
    id: 'runs/time-of-approvals',
    title: 'the time that a run waits for an approval does not count towards its time limit',
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
  {
    id: 'runs/time-after-an-approval',
    title: 'a run that resumes after an approval has only its remaining time',
    rules: ['RUN-46', 'RUN-44'],
    tags: ['limit', 'slow'],
    alone: 'all',
    needs: ['driver.moveClock', 'driver.decideApproval'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.startIn('running', { sleep_ms: WORK_MS }, { approval: 'May I?' }, { hang: true })
      const { run_id: runId } = admission
      const startedBy = t.now()
      await moveClockAndSettle(t, 40 * MINUTE_MS)
      if ((await t.me.run(runId)).body.state === 'waiting_approval')
        t.untestable(`moving the clock took longer than the ${WORK_MS} ms in which the run works`)
      const stream = await t.me.runEvents(runId)
      const asked = await stream.event('approval.required', ({ type }) => type === 'approval.required')
      const leftMs = MAX_RUN_MS - (t.now() - startedBy)
      await t.runIn(runId, ['waiting_approval'])
      await moveClockAndSettle(t, 3 * MAX_RUN_MS)
      await t.runIn(runId, ['waiting_approval'])
      await t.driver.decideApproval(String(payloadOf(asked).approval_id), 'approved')
      await t.runIn(runId, ['running'])
      const resumedBy = t.now()
      await moveClockAndSettle(t, leftMs - 2 * MINUTE_MS)
      if (t.now() < resumedBy + leftMs - MINUTE_MS) await t.runIn(runId, ['running'])
      await t.driver.moveClock(Math.max(resumedBy + leftMs + MINUTE_MS - t.now(), 0))
      expectTimeout(await t.runEnded(runId))
    },
  },
  {
    id: 'runs/time-of-its-version',
    title: 'a version sets the time limit of its runs, from a second to a day, and later versions do not change it',
    rules: ['RUN-47'],
    tags: ['limit', 'slow'],
    alone: 'all',
    needs: ['admin', 'appIds', 'driver.createService', 'driver.moveClock'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const publish = (maxRunSeconds: unknown) =>
        t.admin.request('POST', `/apps/${t.config.apps.first.appId}/endpoints/${endpointId}/versions`, {
          json: { max_run_seconds: maxRunSeconds },
        })
      for (const wrong of [0, -1, 86_401, 1.5, '60']) expectRefusal(await publish(wrong), 400, 'INVALID_REQUEST')
      expectStatus(await publish(86_400), 201)
      const long = await t.conversation({ endpoint_id: endpointId })
      expectStatus(await publish(1), 201)
      expectStatus(await publish(120), 201)
      const short = await t.conversation({ endpoint_id: endpointId })
      const [lasting, brief] = [
        await t.admit(long, t.script({ hang: true })),
        await t.admit(short, t.script({ hang: true })),
      ]
      for (const { run_id: runId } of [lasting, brief]) await t.runIn(runId, ['running'])
      const startedBy = t.now()
      await moveClockAndSettle(t, 90_000)
      if (t.now() < startedBy + 110_000) await t.runIn(brief.run_id, ['running'])
      await t.driver.moveClock(Math.max(startedBy + 121_000 - t.now(), 0))
      expectTimeout(await t.runEnded(brief.run_id))
      await t.runIn(lasting.run_id, ['running'])
    },
  },
]
