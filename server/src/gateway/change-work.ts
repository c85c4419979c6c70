import type { Draft } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { isChanged, openDraft } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { isExecuting } from '@conversation-gateway/openapi/behaviour/run-state'
import { applyTime } from '@conversation-gateway/openapi/behaviour/time-passes'
import type { Tx } from '../store/db.ts'
import type { ConversationKey } from '../store/runs.ts'
import { applyDraft, lockWork } from '../store/work.ts'
import type { GatewayContext } from './context.ts'
import { runEndsOf } from './run-end.ts'

const openWork = async (
  { clock, settings }: GatewayContext,
  tx: Tx,
  conversation: ConversationKey,
  judgesProcesses = true,
): Promise<Draft | null> => {
  const now = clock.now()
  const work = await lockWork(tx, conversation, { now, processes: judgesProcesses })
  return work === null ? null : openDraft(work, now, settings)
}

const writeWork = async (tx: Tx, draft: Draft): Promise<void> => {
  if (isChanged(draft)) draft.deliveries = await applyDraft(tx, draft)
}

/**
 * Changes one conversation's work under its lock: reads what is unfinished, lets time have its effects, applies the
 * rules in `change`, and writes the result. Returns null when the conversation does not exist.
 */
export const changeWork = async <Result>(
  context: GatewayContext,
  tx: Tx,
  appId: string,
  conversationId: string,
  change: (draft: Draft) => Result,
): Promise<{ result: Result; draft: Draft } | null> => {
  const draft = await openWork(context, tx, { appId, conversationId })
  if (draft === null) return null
  applyTime(draft)
  const result = change(draft)
  await writeWork(tx, draft)
  return { result, draft }
}

/**
 * Changes one conversation's work by nothing but rules, in a transaction of its own, and tells whoever waits. Nothing
 * happens when it does not exist.
 * @param judgesProcesses false for who cannot tell at this time which processes are gone.
 */
export const followRules = async (
  context: GatewayContext,
  conversation: ConversationKey,
  rules: (draft: Draft) => void,
  judgesProcesses = true,
): Promise<void> => {
  const draft = await context.db.transaction(async (tx) => {
    const opened = await openWork(context, tx, conversation, judgesProcesses)
    if (opened === null) return null
    rules(opened)
    await writeWork(tx, opened)
    return opened
  })
  if (draft !== null) announceDraft(context, draft)
}

/** Tells whoever waits about what a committed draft changed. */
export const announceDraft = ({ wakeups }: GatewayContext, draft: Draft): void => {
  const { work, events, changedRuns, deliveries } = draft
  for (const end of runEndsOf(draft)) wakeups.runEnded(end)
  if (deliveries > 0) wakeups.deliveriesAdded()
  if (events.length > 0) wakeups.conversationChanged({ appId: work.appId, conversationId: work.conversationId })
  for (const run of changedRuns) if (isExecuting(run.state)) wakeups.runChanged(run.runId)
  // Where nothing executes any more, the next one can start.
  if (work.runs.some(({ state }) => state === 'queued') && !work.runs.some(({ state }) => isExecuting(state)))
    wakeups.workAdmitted(work.deviceId)
}
