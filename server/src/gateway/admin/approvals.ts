import { continueDecided } from '@conversation-gateway/openapi/behaviour/approvals'
import { unfinishedRuns } from '@conversation-gateway/openapi/behaviour/conversation-work'
import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Approval, ApprovalList, DecideApproval } from '@conversation-gateway/openapi/generated/admin-closed'
import type { ApprovalFilter } from '../../store/admin/approvals.ts'
import * as store from '../../store/admin/approvals.ts'
import { announceChange, changeWork } from '../change-work.ts'
import type { GatewayContext } from '../context.ts'
import type { PageQuery } from './outcomes.ts'
import { changed, pageSize, unknown } from './outcomes.ts'
import { approvalRecord } from './records.ts'

/** Newest first; an empty page ends the list. */
export const listApprovals = async (
  { db }: GatewayContext,
  filter: ApprovalFilter,
  page: PageQuery,
): Promise<Found<ApprovalList> | Refusal> => {
  if (page.before !== undefined && (await store.findApproval(db, page.before)) === null)
    return unknown('approval', page.before)
  const approvals = await store.listApprovals(db, filter, page.before ?? null, pageSize(page))
  return found({ approvals: approvals.map(approvalRecord) })
}

const DECIDED = { approve: 'approved', deny: 'denied' } as const

/**
 * Lets the run continue: its assistant gets the decision. Even after a denial, the assistant may go on or end the run
 * (D-17). The same decision again changes nothing; any other decision on an approval that is not pending is
 * ALREADY_DECIDED (409).
 */
export const decideApproval = async (
  context: GatewayContext,
  approvalId: string,
  { decision }: DecideApproval,
): Promise<Admitted<Approval> | Refusal> => {
  const { db, clock, wakeups } = context
  const approval = await store.findApproval(db, approvalId)
  if (approval === null) return unknown('approval', approvalId)
  const { runId } = approval
  const outcome = await db.transaction(async (tx) => {
    const decided = await store.decideApproval(tx, approval, DECIDED[decision], clock.now())
    if (decided === null) return { decided, work: null }
    const work = await changeWork(context, tx, approval, (draft) => {
      const run = unfinishedRuns(draft).find((candidate) => candidate.runId === runId)
      if (run !== undefined) continueDecided(draft, run)
    })
    return { decided, work }
  })
  if (outcome.decided === null) return repeatDecision(context, approvalId, decision)
  if (outcome.work !== null) announceChange(outcome.work)
  wakeups.runChanged(runId)
  return changed(approvalRecord(outcome.decided))
}

/** The answer for an approval that is not pending any more. */
const repeatDecision = async (
  { db }: GatewayContext,
  approvalId: string,
  decision: DecideApproval['decision'],
): Promise<Admitted<Approval> | Refusal> => {
  const approval = await store.findApproval(db, approvalId)
  if (approval === null) return unknown('approval', approvalId)
  if (approval.state === DECIDED[decision]) return changed(approvalRecord(approval))
  return refuse('ALREADY_DECIDED', `The approval is ${approval.state}; nothing is left to decide.`)
}
