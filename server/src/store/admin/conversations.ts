import type { Db, Queryable, Statement } from '../db.ts'
import { queryByOwnPlan } from '../maintenance/own-plan.ts'

/** A conversation of any application, with its executing run and the number of its queued ones. */
export interface ObservedConversation {
  readonly appId: string
  readonly conversationId: string
  readonly subject: string
  readonly endpointId: string
  readonly deviceId: string
  readonly businessKey: string | null
  readonly bindingVersion: number
  readonly generation: number
  readonly state: 'active' | 'resetting'
  readonly queuedRuns: number
  readonly executingRunId: string | null
  readonly lastSeq: number
  readonly erasureId: string | null
  readonly createdAt: Date
}

const COLUMNS = `c.app_id as "appId", c.conversation_id as "conversationId", c.subject, c.endpoint_id as "endpointId",
  c.device_id as "deviceId", c.business_key as "businessKey", c.binding_version as "bindingVersion", c.generation,
  c.state, c.queued_runs as "queuedRuns", c.executing_run_id as "executingRunId", c.last_seq as "lastSeq",
  c.erasure_id as "erasureId", c.created_at as "createdAt"`

// Joins the applications, of which there are few, because the primary key begins with the application's ID.
const FIND: Statement = {
  name: 'find_observed_conversation',
  access: 'read',
  text: `select ${COLUMNS} from apps a join conversations c on c.app_id = a.app_id and c.conversation_id = $1`,
}

export const findObservedConversation = async (
  db: Queryable,
  conversationId: string,
): Promise<ObservedConversation | null> => (await db.query<ObservedConversation>(FIND, [conversationId]))[0] ?? null

const LIST: Statement = {
  name: 'list_observed_conversations',
  access: 'read',
  text: `
select newest.* from apps a cross join lateral (
  select ${COLUMNS} from conversations c
  where c.app_id = a.app_id and ($2::text is null or c.conversation_id < $2)
  order by c.conversation_id desc limit $3
) newest
where $1::text is null or a.app_id = $1
order by newest."conversationId" desc limit $3`,
}

const LIST_OF_SUBJECT: Statement = {
  name: 'list_conversations_of_subject',
  access: 'read',
  text: `
select ${COLUMNS} from devices d
join conversations c on c.device_id = d.device_id and c.app_id = $1 and c.subject = $4
where $2::text is null or c.conversation_id < $2
order by c.conversation_id desc limit $3`,
}

/** Conversations before the conversation `before`, newest first. A subject needs its application. */
export const listObservedConversations = (
  db: Db,
  { appId, subject }: { readonly appId: string | null; readonly subject: string | null },
  before: string | null,
  limit: number,
): Promise<ObservedConversation[]> => {
  const params = [appId, before, limit]
  return subject === null
    ? queryByOwnPlan<ObservedConversation>(db, LIST, params)
    : queryByOwnPlan<ObservedConversation>(db, LIST_OF_SUBJECT, [...params, subject])
}
