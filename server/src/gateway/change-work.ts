import type { Draft } from '../domain/conversation-work.ts'
import { isChanged, openDraft } from '../domain/conversation-work.ts'
import { isExecuting } from '../domain/run-state.ts'
import { applyTime } from '../domain/time-passes.ts'
import type { Tx } from '../store/db.ts'
import { applyDraft, lockWork } from '../store/work.ts'
import type { GatewayContext } from './context.ts'

/**
 * Changes one conversation's work under its lock: reads what is unfinished, lets time have its effects, applies the
 * rules in `change`, and writes the result in one statement. Returns null when the conversation does not exist.
 */
export const changeWork = async <Result>(
  { clock, settings }: GatewayContext,
  tx: Tx,
  appId: string,
  conversationId: string,
  change: (draft: Draft) => Result,
): Promise<{ result: Result; draft: Draft; lastSeq: number | null } | null> => {
  const now = clock.now()
  const work = await lockWork(tx, appId, conversationId, new Date(now.getTime() - settings.leaseMs))
  if (work === null) return null
  const draft = openDraft(work, now, settings)
  applyTime(draft)
  const result = change(draft)
  if (!isChanged(draft)) return { result, draft, lastSeq: null }
  const { lastSeq, deliveries } = await applyDraft(tx, draft)
  draft.deliveries = deliveries
  return { result, draft, lastSeq }
}

/** Tells whoever waits about what a committed draft changed. */
export const announceDraft = ({ wakeups }: GatewayContext, { work, events, changedRuns, deliveries }: Draft): void => {
  if (deliveries > 0) wakeups.deliveriesAdded()
  if (events.length > 0) wakeups.conversationChanged({ appId: work.appId, conversationId: work.conversationId })
  for (const run of changedRuns) if (isExecuting(run.state)) wakeups.runChanged(run.runId)
  // Where nothing executes any more, the next one can start.
  if (work.runs.some(({ state }) => state === 'queued') && !work.runs.some(({ state }) => isExecuting(state)))
    wakeups.workAdmitted(work.deviceId)
}
