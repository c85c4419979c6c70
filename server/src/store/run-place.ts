import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement } from './db.ts'

const CONVERSATION_OF_RUN: Statement = {
  name: 'conversation_of_run',
  text: `select conversation_id as "conversationId" from runs where app_id = $1 and subject = $2 and run_id = $3`,
}

/** The conversation that a run of this tenant belongs to. */
export const findConversationOfRun = async (
  db: Queryable,
  { appId, subject }: Tenant,
  runId: string,
): Promise<string | null> => {
  const [row] = await db.query<{ conversationId: string }>(CONVERSATION_OF_RUN, [appId, subject, runId])
  return row?.conversationId ?? null
}
