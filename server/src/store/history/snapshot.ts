import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import { foldActivities } from '@conversation-gateway/openapi/behaviour/activities'
import type { StoredMessage } from '@conversation-gateway/openapi/behaviour/message-record'
import type { ShownSnapshot } from '@conversation-gateway/openapi/behaviour/records'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement } from '../db.ts'
import { bytesOf } from './stored-size.ts'

export interface SnapshotLimits {
  readonly messages: number
  readonly runs: number
  /** Bodies are read newest first, up to this many bytes together; the others are left in the database. */
  readonly bodyBytes: number
}

/** The content of a message that is still being streamed, aggregated from its events. */
const streamed = (type: string, value: string): string => `(select ${value} from events e
      where e.app_id = m.app_id and e.conversation_id = m.conversation_id
        and e.seq > (select r.admitted_seq from runs r where r.app_id = m.app_id and r.run_id = m.run_id)
        and e.message_id = m.message_id and e.type = '${type}')`

/**
 * The message columns as JSON members of a StoredMessage, with activities as their changes. The content of a message
 * that is being streamed comes from its events.
 */
export const MESSAGE_JSON = `json_build_object('conversationId', m.conversation_id, 'messageId', m.message_id,
  'runId', m.run_id, 'generation', m.generation, 'cursor', m.cursor, 'role', m.role, 'data', m.data::text, 'resourceIds', m.resource_ids,
  'partial', m.partial,
  'createdAt', m.created_at, 'text', case when m.partial and m.text is null
    then ${streamed('assistant.delta', "coalesce(string_agg(e.payload->>'text', '' order by e.seq), '')")}
    else m.text end, 'activities', case when m.partial and m.text is null
    then ${streamed('assistant.activity', "json_agg(e.payload->'activity' order by e.seq)")}
    else m.activities end)`

/** The size of a message without its activities, without reading it. */
export const TEXT_AND_DATA_BYTES = `coalesce(octet_length(text), 0) + ${bytesOf('data')} + 256`
/** The size of a message's body, without reading it. */
export const MESSAGE_BYTES = `(${TEXT_AND_DATA_BYTES} + ${bytesOf('activities')})`

// One statement, so that watermark, messages and runs come from one database snapshot (D-14).
// A result body is read only if it fits in addition to all messages, because messages take precedence.
const READ: Statement = {
  name: 'read_snapshot',
  access: 'read',
  text: `
select c.generation, c.last_seq as watermark, page.messages,
  (select coalesce(json_agg(json_build_object('runId', r.run_id, 'generation', r.generation, 'state', r.state,
      'deliveryState', r.delivery_state, 'hasResult', r.result is not null,
      'result', case when page.bytes + r.bytes <= $6::bigint then r.result end) order by r.position), '[]') from (
    select *, sum(${bytesOf('result')}) over (order by position desc) as bytes from (
      select * from runs where app_id = $1 and conversation_id = $3 order by position desc limit $5) newest
    ) r) as runs
from conversations c
cross join lateral (
  select coalesce(max(m.bytes), 0) as bytes,
    coalesce(json_agg(${MESSAGE_JSON} order by m.cursor) filter (where m.bytes <= $6::bigint + 256), '[]') as messages
  from (
    select *, sum(${MESSAGE_BYTES}) over (order by cursor desc) as bytes from (
      select * from messages where app_id = c.app_id and conversation_id = c.conversation_id
      order by cursor desc limit $4) newest
  ) m) page
where c.app_id = $1 and c.subject = $2 and c.conversation_id = $3`,
}

export type JsonMessage = Omit<StoredMessage, 'createdAt' | 'activities'> & {
  readonly createdAt: string
  readonly activities: readonly ActivityUpdate[] | null
}

/** A message out of `MESSAGE_JSON`, whose time arrives as text. */
export const fromJsonMessage = (message: JsonMessage): StoredMessage => ({
  ...message,
  createdAt: new Date(message.createdAt),
  activities: message.activities === null ? [] : foldActivities(message.activities),
})

export const readSnapshot = async (
  db: Queryable,
  { appId, subject }: Tenant,
  conversationId: string,
  limits: SnapshotLimits,
): Promise<ShownSnapshot | null> => {
  const [row] = await db.query<Omit<ShownSnapshot, 'messages'> & { messages: JsonMessage[] }>(READ, [
    appId,
    subject,
    conversationId,
    limits.messages,
    limits.runs,
    limits.bodyBytes,
  ])
  return row === undefined ? null : { ...row, messages: row.messages.map(fromJsonMessage) }
}
