import type { Draft } from './conversation-work.ts'
import { unfinishedRuns } from './conversation-work.ts'
import { finishRun } from './finish-run.ts'
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
