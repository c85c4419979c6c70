import { interruptExecuting } from '@conversation-gateway/openapi/behaviour/time-passes'
import type { Logger } from 'pino'
import { removeAllProcesses } from '../store/maintenance/processes.ts'
import { findOrphanedConversations } from '../store/runs.ts'
import { followRules } from './change-work.ts'
import type { GatewayContext } from './context.ts'

/**
 * When the embedded database starts, no other process uses it. Runs of the previous process end as `interrupted`, and
 * its leases are released (D-60). Runs of remote workers continue. Runs that cannot be ended here are handled like
 * every lost run.
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
