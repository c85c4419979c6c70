import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import type { PrunedEvents, PruneEvents } from '@conversation-gateway/openapi/generated/admin-closed'
import type { GatewayContext } from '../context.ts'
import { pruneConversation, pruneEventsBefore } from '../retention.ts'
import { changed, unknown } from './outcomes.ts'

/**
 * Drops events before their retention ends: of one conversation up to and including a seq, or of all conversations
 * from a certain age. A seq beyond the newest event stands for the newest. Streams then answer 410 for earlier
 * positions. Repeating it is safe.
 */
export const pruneEvents = async (
  { db, clock }: GatewayContext,
  body: PruneEvents,
): Promise<Admitted<PrunedEvents> | Refusal> => {
  if ('older_than_seconds' in body) {
    const before = new Date(Math.max(0, clock.now().getTime() - body.older_than_seconds * 1000))
    return changed({ pruned: await pruneEventsBefore(db, before) })
  }
  const conversation = { appId: body.app_id, conversationId: body.conversation_id }
  const pruned = await pruneConversation(db, conversation, body.up_to_seq)
  return pruned === null ? unknown('conversation', body.conversation_id) : changed({ pruned })
}
