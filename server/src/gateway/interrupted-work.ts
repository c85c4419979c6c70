import { interruptExecuting } from '@conversation-gateway/openapi/behaviour/time-passes'
import type { Logger } from 'pino'
import { removeAllProcesses } from '../store/maintenance/processes.ts'
import { findOrphanedConversations } from '../store/runs.ts'
import { followRules } from './change-work.ts'
import type { GatewayContext } from './context.ts'

/**
 * At the start of the embedded database no other process can be there: what was executing ended with the process before, and
 * is `interrupted`; what that one held is free (D-60). Runs of workers elsewhere go on. What cannot be ended here goes the way of every lost run.
 */
export const endInterruptedWork = async (
  context: GatewayContext,
  log: Pick<Logger, 'info' | 'error'>,
): Promise<void> => {
  await removeAllProcesses(context.db)
  const conversations = await findOrphanedConversations(context.db)
  for (const conversation of conversations)
    await followRules(context, conversation, interruptExecuting).catch((error: unknown) =>
      log.error(
        { err: error, app_id: conversation.appId, conversation_id: conversation.conversationId },
        'an interrupted run could not be ended',
      ),
    )
  if (conversations.length > 0)
    log.info({ conversations: conversations.length }, 'runs that were executing when the gateway ended are interrupted')
}
