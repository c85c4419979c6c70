import type { RunError } from './conversation-changes.ts'
import type { RunState } from './run-state.ts'

/** How long a run may execute (D-59). The time pauses while the run waits for an approval. */
export type RunTime =
  | { readonly kind: 'active'; readonly until: Date }
  | { readonly kind: 'paused'; readonly leftMs: number }
  /** The deadline has passed: the run is being stopped, and ends at `endBy` even without a confirmation. */
  | { readonly kind: 'expired'; readonly endBy: Date }

/** The outcome of a run whose deadline has passed, whatever its worker reports. */
export const RUN_TIMEOUT: RunError = {
  code: 'RUN_TIMEOUT',
  message: 'The run executed for longer than its service allows.',
  retryable: false,
}

/** The time limit of a run that moves to a state: it pauses while the run waits for an approval. */
export const timeAfterMove = (state: RunState, time: RunTime | null, now: Date): RunTime | null => {
  if (state === 'waiting_approval' && time?.kind === 'active')
    return { kind: 'paused', leftMs: time.until.getTime() - now.getTime() }
  if (state === 'running' && time?.kind === 'paused')
    return { kind: 'active', until: new Date(now.getTime() + time.leftMs) }
  return time
}
