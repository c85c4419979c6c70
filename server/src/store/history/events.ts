import type { LoggedEvent } from '@conversation-gateway/openapi/behaviour/event-envelope'
import type { Queryable, Statement } from '../db.ts'
import { bytesOf } from './stored-size.ts'

/** An event as it is stored. */
export interface StoredEvent extends LoggedEvent {
  readonly createdAt: Date
}

/** Which log to read: a conversation's, or the part of it that belongs to one run. */
export interface EventLog {
  readonly appId: string
  readonly conversationId: string
  readonly runId: string | null
}

/** A page of the log: at most this many events; it ends once the payloads together exceed this many bytes. */
export interface EventPageLimits {
  readonly events: number
  readonly payloadBytes: number
}

const READ: Statement = {
  name: 'read_events',
  access: 'read',
  text: `
select seq, event_id as "eventId", generation, run_id as "runId", message_id as "messageId", type,
  payload::text as payload, created_at as "createdAt"
from (
  select e.*, sum(e.bytes) over (order by e.seq) - e.bytes as bytes_before
  from (
    select *, ${bytesOf('payload')} as bytes from events
    where app_id = $1 and conversation_id = $2 and seq > $3 and ($4::text is null or run_id = $4)
    order by seq limit $5
  ) e
) page
where bytes_before <= $6::bigint order by seq`,
}

/** Events after a seq, oldest first, up to the page limits. */
export const readEvents = (
  db: Queryable,
  { appId, conversationId, runId }: EventLog,
  afterSeq: number,
  limits: EventPageLimits,
): Promise<StoredEvent[]> =>
  db.query<StoredEvent>(READ, [appId, conversationId, afterSeq, runId, limits.events, limits.payloadBytes])
