import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { conversationsOf, createRunOfKey, runsOf } from '../../../kit/steps/direct-runs.ts'
import { expectStillBusy, moveClockAndSettle } from '../../../kit/steps/moved-clock.ts'
import { expectRunEnd, readRun } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const MINUTE_MS = 60_000
const WINDOW_MS = 24 * 60 * MINUTE_MS

export const checks: readonly ServerCheck[] = [
  {
    id: 'direct-runs/admission',
    title: 'a direct run returns 202 with its admission: conversation, generation, message and run',
    rules: ['DIRECT-07'],
    run: async (t) => {
      const { main } = t.config.services
      const key = t.fresh('order')
      const { conversation_id: id } = await t.conversation({ conversation_key: key })
      const input = t.script({ succeed: { text: 'done' } })
      for (const more of [{}, { conversation_key: key }, { conversation_key: t.fresh('new') }]) {
        const { body } = expectStatus(await t.me.createRun(main, { input, ...more }), 202)
        assert.deepEqual([body.state, body.generation], ['queued', 1])
        assert.equal(
          body.conversation_id === id,
          Object(more).conversation_key === key,
          `the admission names ${body.conversation_id}; the conversation of the key ${key} is ${id}`,
        )
        const run = await t.runEnded(body.run_id)
        assert.deepEqual(
          [run.conversation_id, run.message_id, run.result?.text],
          [body.conversation_id, body.message_id, 'done'],
        )
        const [shown] = await runsOf(body, t.me)
        assert.equal(shown?.run_id, body.run_id)
        const { watermark } = await readSnapshot(t, body.conversation_id)
        assert.ok(
          body.event_cursor < watermark,
          `the watermark ${watermark} after the run has ended is not above the event_cursor ${body.event_cursor}`,
        )
      }
    },
  },
  {
    id: 'direct-runs/needs-idempotency-key',
    title: 'a direct run without a valid Idempotency-Key is 400 INVALID_REQUEST and creates nothing',
    rules: ['DIRECT-08'],
    tags: ['limit'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const path = `/agent-endpoints/${t.config.services.main}/runs`
      const json = { input: t.script({ succeed: {} }) }
      expectRefusal(await t.me.request('POST', path, { json }), 400, 'INVALID_REQUEST')
      for (const key of ['', 'two words', 'x'.repeat(129), 'schlüssel', 'tab\tbed'])
        expectRefusal(await t.me.request('POST', path, { json, key }), 400, 'INVALID_REQUEST')
      assert.deepEqual(await conversationsOf(t), [])
      for (const key of [t.fresh('k').padEnd(128, '~'), `!${t.fresh('"#$%')}`])
        expectStatus(await t.me.request('POST', path, { json, key }), 202)
    },
  },
  {
    id: 'direct-runs/default-start-window',
    title: 'a direct run without start_before waits 24 hours for its start, and not longer',
    rules: ['DIRECT-11'],
    tags: ['limit'],
    alone: 'all',
    needs: ['driver.moveClock'],
    run: async (t) => {
      const key = t.fresh('window')
      const conversation = await t.conversation({ conversation_key: key })
      // No run executes for 24 hours (D-59), but one may wait so long for an approval.
      const { run_id: occupying } = await t.admit(conversation, t.script({ approval: 'May I?' }))
      await t.runIn(occupying, ['waiting_approval'])
      const waiting = await createRunOfKey(t, key, { input: t.script({ succeed: {} }) })
      const admittedAt = Date.parse((await readRun(t, waiting)).created_at)
      for (const moveMs of [10 * MINUTE_MS, WINDOW_MS - 10.2 * MINUTE_MS]) {
        await moveClockAndSettle(t, moveMs)
        // The device must send a heartbeat before the next move, or the gateway would consider the run lost.
        await expectStillBusy(t, occupying, 'waiting_approval')
        const { state } = await readRun(t, waiting)
        if (t.now() < admittedAt + WINDOW_MS) assert.equal(state, 'queued', `the run is ${state} within its 24 hours`)
      }
      await t.driver.moveClock(Math.max(admittedAt + WINDOW_MS - t.now(), 0))
      // The run could start now if it had not expired.
      await t.me.cancel(occupying)
      await expectRunEnd(t, waiting, 'expired', 'its 24 hours are over')
    },
  },
]
