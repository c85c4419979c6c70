import { applyTime } from '@conversation-gateway/openapi/behaviour/time-passes'
import { findDueConversations } from '../store/runs.ts'
import { followRules } from './change-work.ts'
import type { GatewayContext } from './context.ts'

/** Conversations updated in one call. */
const BATCH = 100

/**
 * Applies the effects of time to the next batch of due conversations: missed start deadlines, exceeded time limits,
 * lapsed leases, unconfirmed stops, unanswered reconciliations. Returns their number. Any number of processes may call
 * it at any time.
 * @param judgesProcesses false if this process cannot tell at the moment which processes are dead.
 */
export const advanceDueWork = async (context: GatewayContext, judgesProcesses = true): Promise<number> => {
  const due = await findDueConversations(context.db, { now: context.clock.now(), judgesProcesses, limit: BATCH })
  const advanced = due.map((conversation) => followRules(context, conversation, applyTime, judgesProcesses))
  const errors = (await Promise.allSettled(advanced)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  // One failure does not affect the other conversations.
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${due.length} conversations failed`)
  return due.length
}
