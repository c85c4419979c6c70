import type { Draft } from './conversation-work.ts'
import { unfinishedRuns } from './conversation-work.ts'
import { finishRun } from './finish-run.ts'
import { isExecuting } from './run-state.ts'
import { failOverdueStops, reconcile } from './stop-work.ts'

/**
 * Applies everything that only the passing of time decides: missed start deadlines (expired), lapsed leases
 * (reconciling, D-19), unconfirmed stops (operation failed, D-20), and reconciliations without an answer (interrupted).
 */
export const applyTime = (draft: Draft): void => {
  const { now } = draft
  for (const run of unfinishedRuns(draft)) {
    if (run.state === 'queued') {
      if (run.startBefore <= now) finishRun(draft, run, { state: 'expired' })
    } else if (run.state === 'reconciling') {
      if (run.reconcileUntil !== null && run.reconcileUntil <= now) finishRun(draft, run, { state: 'interrupted' })
    } else if (run.leaseExpiresAt !== null && run.leaseExpiresAt <= now) {
      reconcile(draft, run, 'lease_lost')
    }
  }
  failOverdueStops(draft)
}

/** Ends what was executing, where nobody can be there any more who executes it (D-60). Then time has its effects. */
export const interruptExecuting = (draft: Draft): void => {
  for (const run of unfinishedRuns(draft)) if (isExecuting(run.state)) finishRun(draft, run, { state: 'interrupted' })
  applyTime(draft)
}
