import type { Draft, RunWork } from './conversation-work.ts'
import { emitRunEvent, moveRun } from './conversation-work.ts'

/** Pauses the run until a decision is made. Null if the run is not running, in particular if it is being stopped. */
export const requireApproval = (draft: Draft, run: RunWork, summary: string): string | null => {
  if (run.state !== 'running') return null
  const approvalId = draft.newId('apr')
  moveRun(draft, run, 'waiting_approval')
  draft.approvals.push({ approvalId, runId: run.runId, summary })
  emitRunEvent(draft, run, 'approval.required', { approval_id: approvalId, summary })
  return approvalId
}

/** Continues a run after either decision. Its assistant gets the decision, and can answer after a denial too. */
export const continueDecided = (draft: Draft, run: RunWork): void => {
  if (run.state === 'waiting_approval') moveRun(draft, run, 'running')
}
