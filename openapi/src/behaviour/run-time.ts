import type { RunError } from './conversation-changes.ts'
import type { RunState } from './run-state.ts'

/** How long a run may execute (D-59). The time pauses while the run waits for an approval. */
export type RunTime =
  | { readonly kind: 'runs'; readonly until: Date }
  | { readonly kind: 'rests'; readonly leftMs: number }
  /** The deadline has passed: the run is being stopped, and ends at `endBy` even without a confirmation. */
  | { readonly kind: 'over'; readonly endBy: Date }

/** The outcome of a run whose deadline has passed, whatever its worker reports. */
export const RUN_TIMEOUT: RunError = {
  code: 'RUN_TIMEOUT',
  message: 'The run executed for longer than its service allows.',
  retryable: false,
}

/** The execution deadline of a run that enters a state. */
export const timeIn = (state: RunState, time: RunTime | null, now: Date): RunTime | null => {
  if (state === 'waiting_approval' && time?.kind === 'runs')
    return { kind: 'rests', leftMs: time.until.getTime() - now.getTime() }
  if (state === 'running' && time?.kind === 'rests')
    return { kind: 'runs', until: new Date(now.getTime() + time.leftMs) }
  return time
}
