import type { RunState } from './generated/gateway.ts'

const ENDS: ReadonlySet<RunState> = new Set(['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'])

/** Whether nothing more will come of a run. */
export const isFinished = (state: RunState): boolean => ENDS.has(state)
