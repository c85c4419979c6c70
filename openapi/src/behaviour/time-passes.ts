import type { Draft, RunWork } from './conversation-work.ts'
import { unfinishedRuns } from './conversation-work.ts'
import { finishRun } from './finish-run.ts'
import { isExecuting } from './run-state.ts'
import { RUN_TIMEOUT } from './run-time.ts'
import { failOverdueStops, reconcile, stopOverdueRun } from './stop-work.ts'

/**
 * Applies everything that only the passing of time decides: missed start deadlines (expired), lapsed leases
 * (reconciling, D-19), reconciliations without an answer (interrupted), exceeded time limits (a stop, and then failed,
 * D-59) and unconfirmed stops (operation failed, D-20).
 */
export const applyTime = (draft: Draft): void => {
  const { now } = draft
  for (const run of unfinishedRuns(draft)) {
    if (run.state === 'queued') {
      if (run.startBefore <= now) finishRun(draft, run, { state: 'expired' })
      continue
    }
    if (run.state === 'reconciling') {
      if (run.reconcileUntil !== null && run.reconcileUntil <= now) finishRun(draft, run, { state: 'interrupted' })
    } else if (run.leaseExpiresAt !== null && run.leaseExpiresAt <= now) {
      reconcile(draft, run, 'lease_lost')
    }
    if (isExecuting(run.state)) limitTime(draft, run)
  }
  failOverdueStops(draft)
}

/** Stops a run whose time is over. At the end of the stop window it ends the run without waiting for a confirmation. */
const limitTime = (draft: Draft, run: RunWork): void => {
  if (run.time?.kind === 'active' && run.time.until <= draft.now) stopOverdueRun(draft, run)
  else if (run.time?.kind === 'expired' && run.time.endBy <= draft.now)
    finishRun(draft, run, { state: 'failed', error: RUN_TIMEOUT })
}

/** Ends executing work when no process can be executing it (D-60), then applies the effects of time. */
export const interruptExecuting = (draft: Draft): void => {
  for (const run of unfinishedRuns(draft)) if (isExecuting(run.state)) finishRun(draft, run, { state: 'interrupted' })
  applyTime(draft)
}
