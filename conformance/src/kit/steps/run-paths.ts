import assert from 'node:assert/strict'
import type { EventEnvelope, Run } from '#openapi/generated/gateway'
import type { ServerContext } from '../server/context.ts'
import { TERMINAL_STATES } from '../server/context.ts'
import { closeStream } from './events.ts'
import { expectTransitions, type NextStates } from './transitions.ts'

/** The allowed state transitions of a run (D-17). */
const NEXT_STATES: NextStates = {
  queued: ['running', 'cancelled', 'expired'],
  running: ['waiting_approval', 'cancelling', 'reconciling', 'succeeded', 'failed', 'interrupted'],
  waiting_approval: ['running', 'cancelling', 'reconciling', 'failed', 'interrupted'],
  cancelling: ['cancelled', 'succeeded', 'failed', 'interrupted', 'reconciling'],
  reconciling: ['running', 'succeeded', 'failed', 'cancelled', 'interrupted'],
}

/** The states of a run according to its events, starting with `queued` (D-26: every change has an event). */
export function statesIn(events: readonly EventEnvelope[], runId: string): string[] {
  const reported = events
    .filter(({ run_id, type }) => run_id === runId && type.startsWith('run.'))
    .map(({ payload }) => String(Object(payload).state))
  return ['queued', ...reported].filter((state, at, all) => state !== all[at - 1])
}

/** Fails if a transition is not allowed. */
export const expectAllowedPath = (states: readonly string[]): void => expectTransitions('a run', NEXT_STATES, states)

/** Waits for the end of a run, and returns its states. Fails if a transition is not allowed. Opens one stream. */
export async function pathOf(t: ServerContext, runId: string): Promise<string[]> {
  const stream = await t.me.runEvents(runId, { after: 0 })
  await stream.until(`end of the run ${runId}`, ({ events }) =>
    TERMINAL_STATES.has(statesIn(events, runId).at(-1) ?? ''),
  )
  await closeStream(stream)
  const states = statesIn(stream.events, runId)
  const run: Run = (await t.me.run(runId)).body
  assert.equal(run.state, states.at(-1), 'the record of the run has another final state than its events')
  expectAllowedPath(states)
  return states
}

/** Decides the pending approval of a run. Needs `driver.decideApproval`; opens one stream. */
export async function decide(t: ServerContext, runId: string, decision: 'approved' | 'denied'): Promise<void> {
  const stream = await t.me.runEvents(runId, { after: 0 })
  const { payload } = await stream.event('approval.required', ({ type }) => type === 'approval.required')
  await closeStream(stream)
  await t.driver.decideApproval(String(Object(payload).approval_id), decision)
}
