import type { Db, Statement } from '../db.ts'
import { queryByOwnPlan } from '../maintenance/own-plan.ts'
import type { ConversationKey } from '../runs.ts'

/**
 * How far a log advances: more than the number of events that any conversation can gain between a backup and its
 * restore. After a million restores the numbers still fit into a JSON number.
 */
const RESTORE_STEP = 1_000_000_000

// The events before the step stay until retention removes them: the deltas among them are the text of unfinished
// messages.
const ADVANCE: Statement = {
  name: 'advance_restored_logs',
  access: 'write',
  text: `
with next as (
  select app_id, conversation_id, last_seq + $4::bigint as seq from conversations
  where (app_id, conversation_id) > ($1, $2)
  order by app_id, conversation_id limit $3 for update
), advanced as (
  update conversations c set last_seq = n.seq, pruned_seq = n.seq
  from next n where c.app_id = n.app_id and c.conversation_id = n.conversation_id
)
select app_id as "appId", conversation_id as "conversationId" from next order by app_id, conversation_id`,
}

/**
 * Advances the logs of the next conversations in the order of their IDs, and marks all their earlier events as pruned.
 * A position that was issued before is then below that mark. Returns these conversations, at most `rows`; none after
 * the last one.
 */
export const advanceNextLogs = (db: Db, after: ConversationKey, rows: number): Promise<ConversationKey[]> =>
  queryByOwnPlan<ConversationKey>(db, ADVANCE, [after.appId, after.conversationId, rows, RESTORE_STEP])
