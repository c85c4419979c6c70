import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'
import { sendUntilAdmitted } from './devices.ts'

/**
 * Moves the clock, and waits until the gateway has done all due work and its device is online again. The due work is
 * done when a queued run whose `start_before` has passed is in the state `expired`; the device is online when a new
 * message is admitted. Needs `driver.moveClock`.
 */
export async function moveClockAndSettle(t: ServerContext, milliseconds: number): Promise<void> {
  const { conversation, admission: occupying } = await startHanging(t)
  const marker = expectStatus(
    await t.me.send(conversation.conversation_id, t.script({ succeed: {} }), {
      startBefore: new Date(t.now() + Math.min(milliseconds, 280_000) - 1).toISOString(),
    }),
    202,
  ).body
  await t.driver.moveClock(milliseconds)
  await t.runIn(marker.run_id, ['expired'])
  await t.me.cancel(occupying.run_id)
  const next = await startHanging(t)
  await t.me.cancel(next.admission.run_id)
}

/**
 * Waits until the run that keeps its conversation busy is in this state again, after the clock was moved. The
 * specification sets no limit for how long a run may hang or wait for an approval, so a gateway may have its own. If
 * the gateway has ended the run, the check is therefore untestable in `core`; in `reference`, the run must be in
 * `state`.
 */
export async function expectStillBusy(
  t: ServerContext,
  runId: string,
  state: 'running' | 'waiting_approval',
): Promise<void> {
  const run = await t.runIn(runId, t.profile === 'core' ? [state, ...ENDED] : [state])
  if (run.state !== state) t.untestable(`a run that was ${state} has ended as ${run.state} after the clock was moved`)
}

const ENDED = ['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'] as const

/** Starts a hanging run in a new conversation. */
async function startHanging(t: ServerContext) {
  const conversation = await t.conversation()
  return { conversation, admission: await sendUntilAdmitted(t, conversation, { hang: true }) }
}
