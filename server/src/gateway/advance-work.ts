import { findDueConversations } from '../store/runs.ts'
import { announceDraft, changeWork } from './change-work.ts'
import type { GatewayContext } from './context.ts'

/** Conversations brought up to date in one go. */
const BATCH = 100

/**
 * Brings every conversation up to date in which only time has to pass for something to happen: missed start deadlines,
 * lapsed leases, unconfirmed stops, unanswered reconciliations. Returns how many there were; safe to run anywhere, at
 * any time, by several processes at once.
 */
export const advanceDueWork = async (context: GatewayContext): Promise<number> => {
  const due = await findDueConversations(context.db, context.clock.now(), BATCH)
  const errors: unknown[] = []
  for (const { appId, conversationId } of due) {
    try {
      const changed = await context.db.transaction((tx) => changeWork(context, tx, appId, conversationId, () => null))
      if (changed !== null) announceDraft(context, changed.draft)
    } catch (error) {
      errors.push(error)
    }
  }
  // The others are up to date all the same.
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${due.length} conversations failed`)
  return due.length
}
