import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { TERMINAL_STATES } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { moveClockAndSettle } from '../../../kit/steps/moved-clock.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { expectAllowedPath, pathOf, statesIn } from '../../../kit/steps/run-paths.ts'
import {
  cancelRun,
  completeWorkElsewhere,
  expectNoResult,
  expectRunEnd,
  expectRunState,
  readRun,
} from '../../../kit/steps/runs.ts'

/** How far the clock is moved at a time, until a lost run is reconciling. */
const LEASE_STEP_MS = 16_000
/** Longer than the reconciliation of a run, and longer than a device may take to confirm a stop (D-19, D-20). */
const WINDOW_MS = 62_000

/**
 * Total move of the clock after which to give up. No lease length is specified, and the next run expires after 5
 * minutes.
 */
const GIVE_UP_AFTER_MS = 270_000

/**
 * Moves the clock until `reached` is true of the run's state. Gives up after GIVE_UP_AFTER_MS in total. Needs
 * `driver.moveClock`.
 * @param beforeMove Resolves when the clock may be moved once more.
 */
async function moveUntil(
  t: ServerContext,
  runId: string,
  stepMs: number,
  reached: (state: string) => boolean,
  beforeMove: () => Promise<unknown> = async () => {},
) {
  for (let movedMs = 0; movedMs < GIVE_UP_AFTER_MS; movedMs += stepMs) {
    const run = await readRun(t, runId)
    if (reached(run.state)) return run
    await beforeMove()
    await moveClockAndSettle(t, stepMs)
  }
  const run = await readRun(t, runId)
  if (reached(run.state)) return run
  if (t.profile === 'core') t.untestable(`a lost run is ${run.state} for longer than ${GIVE_UP_AFTER_MS / 1000} s here`)
  throw new Error(`the run is still ${run.state} although the clock was moved by ${GIVE_UP_AFTER_MS / 1000} s`)
}

/**
 * Starts a run that its worker drops without a report, queues another run, and waits until the first one is
 * reconciling.
 */
async function loseRun(t: ServerContext) {
  const { conversation, admission } = await t.start({ delta: 'half' }, { crash: true })
  const lost = ['running', 'reconciling'] as const
  // The specification allows the gateway to end a lost run at once.
  await t.runIn(admission.run_id, t.profile === 'core' ? [...lost, 'interrupted', 'failed'] : lost)
  const waiting = await t.admit(conversation, t.script({ succeed: { text: 'next' } }), t.me)
  const reconciling = await moveUntil(t, admission.run_id, LEASE_STEP_MS, (state) => state !== 'running')
  if (t.profile === 'core' && reconciling.state !== 'reconciling')
    t.untestable(`a lost run is ${reconciling.state} here; it is never reconciling`)
  assert.equal(reconciling.state, 'reconciling')
  return { conversation, runId: admission.run_id, waiting: waiting.run_id, reconciling }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'runs/lost-run-is-reconciling',
    title: 'a run whose device stops reporting becomes reconciling, without a result, and then ends as interrupted',
    rules: ['RUN-18', 'RUN-23'],
    tags: ['slow'],
    alone: 'all',
    streams: 1,
    needs: ['driver.moveClock'],
    run: async (t) => {
      // This first run shows that the device is available.
      const { admission: probe } = await t.startIn('running', { delta: 'a' }, { hang: true })
      await cancelRun(t, probe.run_id)
      const { conversation, runId, waiting, reconciling } = await loseRun(t)
      expectNoResult(t, reconciling)
      const interrupted = await moveUntil(t, runId, WINDOW_MS, (state) => TERMINAL_STATES.has(state))
      assert.notEqual(interrupted.state, 'succeeded', 'the run has succeeded although its worker reported no outcome')
      if (t.profile === 'core' && interrupted.state !== 'interrupted')
        t.untestable(`a lost run ends as ${interrupted.state} here, not as interrupted`)
      assert.equal(interrupted.state, 'interrupted', `a run without a reported outcome ended as ${interrupted.state}`)
      const next = await t.runEnded(waiting)
      // Moving the clock may have passed its start_before.
      if (t.profile === 'core' && next.state === 'expired') return
      assert.equal(next.state, 'succeeded', `the next run of the conversation ended as ${next.state}`)
      await t.me.cancel(runId)
      const { state, result } = await readRun(t, runId)
      assert.deepEqual([state, result], [interrupted.state, interrupted.result])
      const stream = await t.me.events(conversation.conversation_id, { after: 0 })
      await stream.event('the next run', ({ type, run_id }) => type === 'run.completed' && run_id === waiting)
      const ends = stream.events.filter(({ type }) => type === 'run.completed' || type === 'run.failed')
      assert.deepEqual(
        ends.map(({ run_id }) => run_id),
        [waiting],
        'the events report the interrupted run as completed or failed',
      )
    },
  },
  {
    id: 'runs/from-reconciling',
    title:
      'a run that is lost, or whose stop is never confirmed, makes only allowed transitions and blocks its conversation until it ends',
    rules: ['RUN-37', 'RUN-38', 'RUN-39', 'RUN-40', 'RUN-41', 'RUN-42'],
    tags: ['slow'],
    alone: 'all',
    streams: 1,
    needs: ['driver.moveClock'],
    run: async (t) => {
      const asking = (await t.start({ approval: 'May I?' })).admission.run_id
      const executing = (await t.start({ hang: true })).admission.run_id
      const ignoring = (await t.start({ ignore_stop: true }, { hang: true })).admission.run_id
      await t.runIn(asking, ['waiting_approval'])
      await t.runIn(executing, ['running'])
      await t.runIn(ignoring, ['running'])
      expectStatus(await t.me.cancel(ignoring), 202)

      const { runId, waiting } = await loseRun(t)
      await completeWorkElsewhere(t)
      await expectRunState(
        t,
        waiting,
        'queued',
        'a run started while an earlier run of its conversation is reconciling',
      )
      // A run whose device has sent no heartbeat since the last move would be lost at the next one.
      const expectSurvivorsAlive = async () => {
        await t.runIn(asking, ['waiting_approval'])
        await t.runIn(executing, ['running'])
      }
      const hasEnded = (state: string): boolean => TERMINAL_STATES.has(state)
      const interrupted = await moveUntil(t, runId, WINDOW_MS, hasEnded, expectSurvivorsAlive)
      assert.deepEqual(await pathOf(t, runId), ['queued', 'running', 'reconciling', 'interrupted'])
      await expectRunEnd(t, waiting, 'succeeded')
      await completeReset(t, interrupted.conversation_id, 1)
      assert.deepEqual(await readRun(t, runId), interrupted, 'a reset changed a run that had ended')

      // Devices that reconnect report the runs that they still execute.
      for (const [survivor, state] of [
        [asking, 'waiting_approval'],
        [executing, 'running'],
      ] as const) {
        await t.runIn(survivor, [state])
        await t.me.cancel(survivor)
        assert.equal((await pathOf(t, survivor)).at(-1), 'cancelled')
      }
      const stream = await t.me.runEvents(ignoring, { after: 0 })
      await stream.until('reconciling', ({ events }) => statesIn(events, ignoring).includes('reconciling'))
      expectAllowedPath(statesIn(stream.events, ignoring))
    },
  },
]
