import type { LoggedEvent } from '@conversation-gateway/openapi/behaviour/event-envelope'
import type { Queryable, Statement } from './db.ts'

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

/** A page of the log: at most this many events and, beyond the first event, at most this many bytes of payload. */
export interface EventPageLimits {
  readonly events: number
  readonly payloadBytes: number
}

const READ: Statement = {
  name: 'read_events',
  text: `
select seq, event_id as "eventId", generation, run_id as "runId", message_id as "messageId", type,
  payload::text as payload, created_at as "createdAt"
from (
  select e.*, sum(octet_length(e.payload::text)) over (order by e.seq) - octet_length(e.payload::text) as bytes_before
  from (
    select * from events
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

/** A piece of a streamed message; `index` counts the message's deltas from 0. */
export interface NewDelta {
  readonly eventId: string
  readonly index: number
  readonly text: string
}

/** The streamed message that deltas belong to; its row appears with the first of them. */
export interface ReplyTarget {
  readonly appId: string
  readonly conversationId: string
  readonly runId: string
  readonly messageId: string
}

// `executing_run_id` is tested on the locked row: once the run has ended, by whatever hand, nothing is added to it (D-28).
const APPEND_DELTAS: Statement = {
  name: 'append_deltas',
  text: `
with conversation as (
  update conversations set last_seq = last_seq + json_array_length($6::json),
    last_cursor = last_cursor + case when $7 then 1 else 0 end
  where app_id = $1 and conversation_id = $2 and executing_run_id = $3
  returning last_seq - json_array_length($6::json) as base, last_cursor, generation
), message as (
  insert into messages (app_id, conversation_id, cursor, message_id, run_id, generation, role, text, partial, created_at)
  select $1, $2, last_cursor, $4, $3, generation, 'assistant', null, true, $5 from conversation where $7
), run as (
  update runs r set reply_message_id = $4, reply_cursor = c.last_cursor
  from conversation c where $7 and r.app_id = $1 and r.run_id = $3
), event as (
  insert into events (app_id, conversation_id, seq, event_id, generation, run_id, message_id, type, payload, created_at)
  select $1, $2, c.base + d.ordinal, d.event_id, c.generation, $3, $4, 'assistant.delta', d.payload, $5
  from conversation c cross join json_to_recordset($6::json) as d(ordinal integer, event_id text, payload json)
)
select base + json_array_length($6::json) as "lastSeq" from conversation`,
}

/** Appends deltas in one statement. Returns the newest seq, or null when the run no longer executes. */
export const appendDeltas = async (
  db: Queryable,
  target: ReplyTarget,
  deltas: readonly NewDelta[],
  now: Date,
): Promise<number | null> => {
  const rows = deltas.map(({ eventId, index, text }, position) => ({
    ordinal: position + 1,
    event_id: eventId,
    payload: { text, index },
  }))
  const startsMessage = deltas[0]?.index === 0
  const [row] = await db.query<{ lastSeq: number }>(APPEND_DELTAS, [
    target.appId,
    target.conversationId,
    target.runId,
    target.messageId,
    now,
    JSON.stringify(rows),
    startsMessage,
  ])
  return row?.lastSeq ?? null
}
