import type { Draft } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { unfinishedRuns } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { cancelRun } from '@conversation-gateway/openapi/behaviour/stop-work'
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
  await stopRuns(context, before, (draft) => unfinishedRuns(draft).filter((run) => run.runId === runId))
  const after = await findObservedRun(context.db, runId)
  return after === null ? unknown('run', runId) : accepted(runRecord(after, context.clock.now()))
}

/** Stops every unfinished run of a conversation, and answers with its record. It stays active in its generation. */
export const cancelConversationWork = async (
  context: GatewayContext,
  conversationId: string,
): Promise<Admitted<ConversationRecord> | Refusal> => {
  const before = await findObservedConversation(context.db, conversationId)
  if (before === null) return unknown('conversation', conversationId)
  await stopRuns(context, before, unfinishedRuns)
  const after = await findObservedConversation(context.db, conversationId)
  return after === null ? unknown('conversation', conversationId) : accepted(conversationRecord(after))
}

/** The application finds an operation for each stop, as for one of its own. A run that is being stopped needs no other. */
const stopRuns = async (
  context: GatewayContext,
  conversation: ConversationKey,
  select: (draft: Draft) => ReturnType<typeof unfinishedRuns>,
): Promise<void> => {
  const change = workChange(conversation, (draft) => {
    for (const { runId, state } of select(draft))
      if (state !== 'cancelling') cancelRun(draft, runId, newId('op', draft.now))
  })
  await context.writer.write(context, change)
}
