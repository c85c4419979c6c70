import assert from 'node:assert/strict'
import type { ScriptStep } from '../../../kit/config/driver.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { sendExpiring } from '../../../kit/steps/expiring-runs.ts'
import { decide, pathOf } from '../../../kit/steps/run-paths.ts'

const FAILURE = { code: 'BROKEN', message: 'It broke.' }

/** Starts a run and cancels it as soon as it is in this state. */
async function cancelIn(
  t: ServerContext,
  state: 'running' | 'waiting_approval',
  ...steps: readonly ScriptStep[]
): Promise<string> {
  const { admission } = await t.start(...steps)
  // On a busy machine the run may have ended before it was read.
  await t.runIn(admission.run_id, [state, 'succeeded', 'failed'])
  await t.me.cancel(admission.run_id)
  return admission.run_id
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'runs/from-queued',
    title: 'a queued run changes directly to running, cancelled or expired',
    rules: ['RUN-35'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.startIn('running', { hang: true })
      const expiring = await sendExpiring(t, conversation.conversation_id)
      const cancelled = (await t.admit(conversation, t.script({ succeed: {} }))).run_id
      const taken = (await t.admit(conversation, t.script({ succeed: {} }))).run_id
      await t.me.cancel(cancelled)
      await t.runIn(expiring, ['expired'])
      await t.me.cancel(admission.run_id)
      assert.deepEqual(await pathOf(t, taken), ['queued', 'running', 'succeeded'])
      assert.deepEqual(await pathOf(t, cancelled), ['queued', 'cancelled'])
      assert.deepEqual(await pathOf(t, expiring), ['queued', 'expired'])
    },
  },
  {
    id: 'runs/from-running',
    title: 'a running run changes directly to waiting_approval, cancelling, succeeded or failed',
    rules: ['RUN-37'],
    streams: 1,
    needs: ['driver.decideApproval'],
    run: async (t) => {
      const conversation = await t.conversation()
      const admit = async (...steps: readonly ScriptStep[]) => (await t.admit(conversation, t.script(...steps))).run_id
      const [succeeding, failing] = [await admit({ delta: 'x' }), await admit({ delta: 'x' }, { fail: FAILURE })]
      const asking = await admit({ approval: 'One?' }, { delta: 'between' }, { approval: 'Two?' })
      assert.deepEqual(await pathOf(t, succeeding), ['queued', 'running', 'succeeded'])
      assert.deepEqual(await pathOf(t, failing), ['queued', 'running', 'failed'])
      await t.runIn(asking, ['waiting_approval'])
      await decide(t, asking, 'approved')
      const stream = await t.me.runEvents(asking, { after: 0 })
      await stream.until('second approval', ({ events }) => events.filter(isApproval).length === 2)
      stream.close()
      await t.driver.decideApproval(String(Object(stream.events.findLast(isApproval)?.payload).approval_id), 'approved')
      const rounds = ['running', 'waiting_approval', 'running', 'waiting_approval', 'running']
      assert.deepEqual(await pathOf(t, asking), ['queued', ...rounds, 'succeeded'])
      const stopped = await cancelIn(t, 'running', { hang: true })
      assert.deepEqual(await pathOf(t, stopped), ['queued', 'running', 'cancelling', 'cancelled'])
    },
  },
  {
    id: 'runs/from-waiting-approval',
    title: 'a run in waiting_approval resumes when approved, fails when denied, and is cancelling when cancelled',
    rules: ['RUN-38'],
    streams: 1,
    needs: ['driver.decideApproval'],
    run: async (t) => {
      const ask = async () => (await t.start({ approval: 'May I?' }, { succeed: { text: 'allowed' } })).admission.run_id
      const [approved, denied] = [await ask(), await ask()]
      const waiting = ['queued', 'running', 'waiting_approval']
      for (const runId of [approved, denied]) await t.runIn(runId, ['waiting_approval'])
      await decide(t, approved, 'approved')
      assert.deepEqual(await pathOf(t, approved), [...waiting, 'running', 'succeeded'])
      await decide(t, denied, 'denied')
      const path = await pathOf(t, denied)
      assert.deepEqual(path.slice(0, 3), waiting)
      assert.equal(path.at(-1), 'failed', `a run whose approval was denied ended as ${path.at(-1)}, expected failed`)
      const stopped = await cancelIn(t, 'waiting_approval', { approval: 'May I?' })
      assert.deepEqual(await pathOf(t, stopped), [...waiting, 'cancelling', 'cancelled'])
    },
  },
  {
    id: 'runs/from-cancelling',
    title: 'a cancelling run becomes cancelled or takes the outcome that its device reports; it does not resume',
    rules: ['RUN-39'],
    streams: 1,
    run: async (t) => {
      const cancelling = ['queued', 'running', 'cancelling']
      const [confirmed, succeeded, failed] = await Promise.all([
        cancelIn(t, 'running', { stop_delay_ms: 150 }, { hang: true }),
        cancelIn(t, 'running', { ignore_stop: true }, { sleep_ms: 500 }, { succeed: { text: 'done' } }),
        cancelIn(t, 'running', { ignore_stop: true }, { sleep_ms: 500 }, { fail: FAILURE }),
      ])
      assert.deepEqual(await pathOf(t, confirmed), [...cancelling, 'cancelled'])
      for (const [runId, end] of [
        [succeeded, 'succeeded'],
        [failed, 'failed'],
      ] as const) {
        const path = await pathOf(t, runId)
        // On a busy machine the run may have ended before it was cancelled.
        assert.deepEqual(path.includes('cancelling') ? path : [...cancelling, path.at(-1)], [...cancelling, end])
      }
    },
  },
]

const isApproval = ({ type }: { readonly type: string }): boolean => type === 'approval.required'
