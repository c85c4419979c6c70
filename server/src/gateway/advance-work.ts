import { applyTime } from '@conversation-gateway/openapi/behaviour/time-passes'
import { findDueConversations } from '../store/runs.ts'
import { followRules } from './change-work.ts'
import type { GatewayContext } from './context.ts'

/** Conversations brought up to date in one go. */
const BATCH = 100

/**
 * Brings every conversation up to date in which only time has to pass for something to happen: missed start deadlines,
 * lapsed leases, unconfirmed stops, unanswered reconciliations. Returns how many there were; safe to run anywhere, at
 * any time, by several processes at once.
 * @param judgesProcesses false for who cannot tell at this time which processes are gone.
 */
export const advanceDueWork = async (context: GatewayContext, judgesProcesses = true): Promise<number> => {
  const due = await findDueConversations(context.db, { now: context.clock.now(), judgesProcesses, limit: BATCH })
  const advanced = due.map((conversation) => followRules(context, conversation, applyTime, judgesProcesses))
  const errors = (await Promise.allSettled(advanced)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  // The others are up to date all the same.
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${due.length} conversations failed`)
  return due.length
}
