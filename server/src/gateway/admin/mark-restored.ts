import { setImmediate } from 'node:timers/promises'
import type { Admitted } from '@conversation-gateway/openapi/behaviour/refusal'
import type { RestoredMark } from '@conversation-gateway/openapi/generated/admin-closed'
import { advanceNextLogs } from '../../store/admin/restored-logs.ts'
import type { ConversationKey } from '../../store/runs.ts'
import type { GatewayContext } from '../context.ts'
import { changed } from './outcomes.ts'

/** Conversations marked by one transaction. */
const BATCH_ROWS = 500

/**
 * Makes every stream position from before this call 410, in all conversations, in small transactions. After a failure,
 * repeat the call: marking a conversation twice is safe.
 */
export const markRestored = async ({ db }: Pick<GatewayContext, 'db'>): Promise<Admitted<RestoredMark>> => {
  let conversations = 0
  let last: ConversationKey | undefined = { appId: '', conversationId: '' }
  while (last !== undefined) {
    const marked: readonly ConversationKey[] = await advanceNextLogs(db, last, BATCH_ROWS)
    conversations += marked.length
    last = marked.at(-1)
    await setImmediate()
  }
  return changed({ conversations })
}
