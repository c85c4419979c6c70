import type { RunWork } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { unfinishedRuns } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { cancelRun, isBeingStopped } from '@conversation-gateway/openapi/behaviour/stop-work'
import type { ConversationRecord, RunRecord } from '@conversation-gateway/openapi/generated/admin-closed'
import { findObservedConversation } from '../../store/admin/conversations.ts'
import { findObservedRun } from '../../store/admin/runs.ts'
import type { ConversationKey } from '../../store/runs.ts'
import { workChange } from '../change-work.ts'
import type { GatewayContext } from '../context.ts'
import { accepted, unknown } from './outcomes.ts'
import { conversationRecord, runRecord } from './work-records.ts'

/** Stops a run as its application would (D-20), and answers with its record. A run that has ended stays as it is. */
export const cancelRunAsOperator = async (
  context: GatewayContext,
  runId: string,
): Promise<Admitted<RunRecord> | Refusal> => {
  const before = await findObservedRun(context.db, runId)
  if (before === null) return unknown('run', runId)
  await stopRuns(context, before, (run) => run.runId === runId)
  const after = await findObservedRun(context.db, runId)
  return after === null ? unknown('run', runId) : accepted(runRecord(after, context.clock.now()))
}

/**
 * Stops every unfinished run of a conversation, and answers with its record. The conversation stays active in its
 * generation.
 */
export const cancelConversationWork = async (
  context: GatewayContext,
  conversationId: string,
): Promise<Admitted<ConversationRecord> | Refusal> => {
  const before = await findObservedConversation(context.db, conversationId)
  if (before === null) return unknown('conversation', conversationId)
  await stopRuns(context, before, () => true)
  const after = await findObservedConversation(context.db, conversationId)
  return after === null ? unknown('conversation', conversationId) : accepted(conversationRecord(after))
}

/** How many runs ended at once, and how many are still stopping. */
export interface StoppedRuns {
  readonly cancelled: number
  readonly stopping: number
}

/**
 * Stops the selected unfinished runs of a conversation, newest first. Each stop creates an operation, as for the
 * application's own cancel. A run that is already being stopped gets no further operation.
 */
export const stopRuns = async (
  context: GatewayContext,
  conversation: ConversationKey,
  isSelected: (run: RunWork) => boolean,
): Promise<StoppedRuns> => {
  const change = workChange(conversation, (draft): StoppedRuns => {
    const stopped = { cancelled: 0, stopping: 0 }
    for (const run of unfinishedRuns(draft).reverse()) {
      if (!isSelected(run) || isBeingStopped(draft, run)) continue
      stopped[run.state === 'queued' ? 'cancelled' : 'stopping'] += 1
      cancelRun(draft, run.runId, newId('op', draft.now))
    }
    return stopped
  })
  return (await context.writer.write(context, change)) ?? { cancelled: 0, stopping: 0 }
}
