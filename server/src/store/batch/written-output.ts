import type { Queryable, Statement } from '../db.ts'

/** Counts of an executing run's output so far. */
export interface WrittenOutput {
  readonly deltas: number
  /** Changes of activities. */
  readonly activities: number
  readonly messages: number
  readonly approvals: number
  /** The run's newest approval. */
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
 * Reads the written output, for a worker whose last write got no answer: the write may have been committed and must not
 * be repeated.
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
  if (row === undefined) throw new Error('an aggregate always returns one row')
  return row
}
