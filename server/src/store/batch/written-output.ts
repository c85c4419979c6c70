import type { Queryable, Statement } from '../db.ts'

/** What an executing run has put out so far, counted. */
export interface WrittenOutput {
  readonly deltas: number
  /** Changes of activities. */
  readonly activities: number
  readonly messages: number
  readonly approvals: number
  /** The newest approval that the run asked for. */
  readonly approvalId: string | null
}

const READ: Statement = {
  name: 'read_written_output',
  access: 'read',
  text: `
select count(*) filter (where type = 'assistant.delta') as deltas,
  count(*) filter (where type = 'assistant.activity') as activities,
  count(*) filter (where type = 'assistant.message') as messages,
  count(*) filter (where type = 'approval.required') as approvals,
  (array_agg(payload->>'approval_id' order by seq desc) filter (where type = 'approval.required'))[1] as "approvalId"
from events where app_id = $1 and conversation_id = $2 and seq > $3 and run_id = $4`,
}

/**
 * Reads back what was written, for a worker whose last write got no answer: it may have been committed all the same,
 * and must not be done twice.
 * @param run.afterSeq the conversation's seq when the run was taken for execution.
 */
export const readWrittenOutput = async (
  db: Queryable,
  run: {
    readonly appId: string
    readonly conversationId: string
    readonly runId: string
    readonly afterSeq: number
  },
): Promise<WrittenOutput> => {
  const [row] = await db.query<WrittenOutput>(READ, [run.appId, run.conversationId, run.afterSeq, run.runId])
  if (row === undefined) throw new Error('an aggregate always answers with one row')
  return row
}
