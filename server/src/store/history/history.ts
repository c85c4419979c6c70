import type { StoredMessage } from '@conversation-gateway/openapi/behaviour/message-record'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement } from '../db.ts'
import { fromJsonMessage, MESSAGE_BYTES, MESSAGE_JSON, TEXT_AND_DATA_BYTES } from './snapshot.ts'
import { bytesOf } from './stored-size.ts'

export interface HistoryPage {
  readonly generation: number | null
  /** Only messages with a smaller cursor. */
  readonly before: number | null
  readonly limit: number
  /** A page ends once the bodies together exceed this many bytes. */
  readonly bodyBytes: number
}

const READ: Statement = {
  name: 'read_history',
  access: 'read',
  text: `
select (select coalesce(json_agg(${MESSAGE_JSON} order by m.cursor), '[]') from (
    select *, sum(${MESSAGE_BYTES}) over (order by cursor desc) - ${MESSAGE_BYTES} as bytes_after from (
      select * from messages where app_id = $1 and conversation_id = $3
        and ($4::bigint is null or generation = $4) and cursor < $5
      order by cursor desc limit $6) page
    ) m where m.bytes_after <= $7::bigint) as messages
from conversations c where c.app_id = $1 and c.subject = $2 and c.conversation_id = $3`,
}

/** A page of messages, oldest first, or null if the conversation is not this tenant's. */
export const readHistory = async (
  db: Queryable,
  { appId, subject }: Tenant,
  conversationId: string,
  page: HistoryPage,
): Promise<StoredMessage[] | null> => {
  const [row] = await db.query<{ messages: Parameters<typeof fromJsonMessage>[0][] }>(READ, [
    appId,
    subject,
    conversationId,
    page.generation,
    page.before ?? Number.MAX_SAFE_INTEGER,
    page.limit,
    page.bodyBytes,
  ])
  return row === undefined ? null : row.messages.map(fromJsonMessage)
}

// Ordered by run, not by cursor: the answer to an earlier run may have been written after this run's input was
// admitted. The cursor of a run's input is the run's position, which avoids a look-up for each message. Reading begins
// with the input of the run that is `$5` runs before this one; answers to earlier inputs are left out.
const CONTEXT: Statement = {
  name: 'read_generation_context',
  access: 'read',
  text: `
select role, text, data::text, resource_ids as "resourceIds", case when $7::boolean then activities end as activities from (
  select *, sum(${TEXT_AND_DATA_BYTES} + case when $7::boolean then ${bytesOf('activities')} else 0 end) over (order by position desc, cursor desc) as bytes
  from (
    select *, min(cursor) filter (where role = 'user') over (partition by run_id) as position from messages
    where app_id = $1 and conversation_id = $2 and generation = $3 and cursor >= coalesce((
      select position from runs where app_id = $1 and conversation_id = $2 and generation = $3 and position < $4
      order by position desc offset $5 - 1 limit 1), 0)
  ) m
  where position < $4 and not partial
  order by position desc, cursor desc limit $5
) newest where bytes <= $6::bigint order by position, cursor`,
}

type ContextRow = Pick<StoredMessage, 'role' | 'text' | 'data' | 'resourceIds'> & {
  /** Null if the message has no activities, or they were not requested. */
  readonly activities: StoredMessage['activities'] | null
}

/** The earlier complete messages of this generation, oldest first: the newest within the limits. */
export const readGenerationContext = (
  db: Queryable,
  run: {
    readonly appId: string
    readonly conversationId: string
    readonly generation: number
    readonly position: number
  },
  limits: { readonly messages: number; readonly bytes: number; readonly withActivities: boolean },
): Promise<ContextRow[]> => {
  const { messages, bytes, withActivities } = limits
  const { appId, conversationId, generation, position } = run
  return db.query(CONTEXT, [appId, conversationId, generation, position, messages, bytes, withActivities])
}
