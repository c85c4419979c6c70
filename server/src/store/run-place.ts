import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement } from './db.ts'

const RUN_PLACE: Statement = {
  name: 'run_place',
  access: 'read',
  text: `select conversation_id as "conversationId", admitted_seq as "firstSeq"
    from runs where app_id = $1 and subject = $2 and run_id = $3`,
}

/** The conversation that a run belongs to, and the seq of the run's first event there. */
export interface RunPlace {
  readonly conversationId: string
  readonly firstSeq: number
}

export const findRunPlace = async (
  db: Queryable,
  { appId, subject }: Tenant,
  runId: string,
): Promise<RunPlace | null> => (await db.query<RunPlace>(RUN_PLACE, [appId, subject, runId]))[0] ?? null
