import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStillBusy, moveClockAndSettle } from '../../../kit/steps/moved-clock.ts'
import { expectRunEnd, readRun } from '../../../kit/steps/runs.ts'

const SECOND_MS = 1000
const WINDOW_MS = 300 * SECOND_MS

export const checks: readonly ServerCheck[] = [
  {
    id: 'messages/default-start-deadline',
    title: 'a message without start_before waits at most 5 minutes for its start',
    rules: ['MSG-17'],
    tags: ['limit'],
    alone: 'all',
    needs: ['driver.moveClock'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ hang: true })
      const waiting = await t.admit(conversation, t.script({ succeed: {} }))
      const admittedAt = Date.parse((await readRun(t, waiting.run_id)).created_at)
      for (const moveMs of [270 * SECOND_MS, 24 * SECOND_MS]) {
        await moveClockAndSettle(t, moveMs)
        // The device must report before the next move of the clock, or it is considered lost.
        await expectStillBusy(t, admission.run_id, 'running')
        const { state } = await readRun(t, waiting.run_id)
        if (t.now() < admittedAt + WINDOW_MS) assert.equal(state, 'queued', 'the run expired within its 5 minutes')
      }
      await t.driver.moveClock(Math.max(admittedAt + WINDOW_MS - t.now(), 0))
      // The conversation is free now, so the run would start if its start deadline had not passed.
      await t.me.cancel(admission.run_id)
      await expectRunEnd(t, waiting.run_id, 'expired', 'the run started after its 5 minutes')
    },
  },
]
