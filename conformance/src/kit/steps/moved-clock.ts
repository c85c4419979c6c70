import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'

/**
 * Moves the clock, and returns once the gateway has done all due work and its device is online again: a run that had to
 * start before the new time has expired, and a message is admitted. Needs `driver.moveClock`.
 */
export async function moveClockAndSettle(t: ServerContext, milliseconds: number): Promise<void> {
  const { conversation, admission: occupying } = await startWhenAdmitted(t)
  const marker = expectStatus(
    await t.me.send(conversation.conversation_id, t.script({ succeed: {} }), {
      startBefore: new Date(t.now() + Math.min(milliseconds, 280_000) - 1).toISOString(),
    }),
    202,
  ).body
  await t.driver.moveClock(milliseconds)
  await t.runIn(marker.run_id, ['expired'])
  await t.me.cancel(occupying.run_id)
  const next = await startWhenAdmitted(t)
  await t.me.cancel(next.admission.run_id)
}

/**
 * Waits until the run that keeps its conversation busy is heard of again, after the clock was moved. How long a run may hang or
 * an approval be awaited the specification does not say: where it has ended by itself, nothing holds up what waits behind it.
 */
export async function expectStillBusy(
  t: ServerContext,
  runId: string,
  state: 'running' | 'waiting_approval',
): Promise<void> {
  const run = await t.runIn(runId, t.profile === 'core' ? [state, ...ENDED] : [state])
  if (run.state !== state)
    t.untestable(`a run that is left ${state} has ended as ${run.state} when the clock was moved`)
}
const ENDED = ['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'] as const
/** A hanging run in a new conversation, as soon as the device takes work. */
async function startWhenAdmitted(t: ServerContext) {
  const conversation = await t.conversation()
  const { body: admission } = await t.until(
    'the device takes work',
    () => t.me.send(conversation.conversation_id, t.script({ hang: true })),
    ({ status }) => status === 202,
  )
  return { conversation, admission }
}
