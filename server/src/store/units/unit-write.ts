import { DELIVERY_WINDOW_MS } from '@conversation-gateway/openapi/behaviour/retry-schedule'
import type { Param, Statement, Tx } from '../db.ts'
import { SHORT_BYTES } from '../history/stored-size.ts'
import { newIdSql } from '../new-id-sql.ts'
import type { EventRow, UnitRows } from './unit-rows.ts'

/** The bytes of a text that is worth being counted once and for all; null for a short one. */
const longBytes = (text: string): string => `nullif(greatest(octet_length(${text}), ${SHORT_BYTES}), ${SHORT_BYTES})`

/**
 * One part of the statement that writes a unit of work: $1 is the moment, `$n` the rows of the part in JSON. What was written
 * by another process or statement with a later moment keeps that one: no record's times go back. A part that
 * has no rows is left out, for each costs its share whether it finds anything to write or not.
 *
 * The order is the same in every statement, and so is that of the rows that others may write, too: keys and counters.
 */
type Part = keyof UnitRows

const PARTS: Readonly<Record<Part, string>> = {
  conversations: `update conversations c set generation = n.generation, binding_version = n.binding_version, state = n.state,
    last_cursor = n.last_cursor, last_seq = n.last_seq, queued_runs = n.queued_runs, executing_run_id = n.executing_run_id,
    executing_output = n.executing_output
  from json_to_recordset($n::json) as n(app_id text, conversation_id text, generation bigint, binding_version integer,
    state text, last_cursor bigint, last_seq bigint, queued_runs integer, executing_run_id text, executing_output json)
  where c.app_id = n.app_id and c.conversation_id = n.conversation_id`,
  newRuns: `insert into runs (app_id, run_id, conversation_id, subject, endpoint_id, device_id, message_id, generation,
    binding_version, position, admitted_seq, state, delivery_state, ready, start_before, result, lease_owner,
    run_until, run_left_ms, timed_out, finished_at, reply_message_id, reply_cursor, traceparent, created_at, updated_at)
  select app_id, run_id, conversation_id, subject, endpoint_id, device_id, message_id, generation, binding_version,
    position, admitted_seq, state, delivery_state, ready, start_before, result, lease_owner, run_until, run_left_ms,
    timed_out, finished_at, reply_message_id, reply_cursor, traceparent, $1, $1
  from json_to_recordset($n::json) as n(app_id text, run_id text, conversation_id text, subject text, endpoint_id text,
    device_id text, message_id text, generation bigint, binding_version integer, position bigint, admitted_seq bigint,
    state text, delivery_state text, ready boolean, start_before timestamptz, result json, lease_owner text,
    run_until timestamptz, run_left_ms bigint, timed_out boolean, finished_at timestamptz, reply_message_id text,
    reply_cursor bigint, traceparent text)`,
  runs: `update runs r set state = n.state, delivery_state = n.delivery_state, result = n.result,
    result_bytes = ${longBytes('n.result::text')}, reconcile_cause = n.reconcile_cause, reconcile_until = n.reconcile_until, run_until = n.run_until,
    run_left_ms = n.run_left_ms, timed_out = n.timed_out, finished_at = n.finished_at,
    reply_message_id = coalesce(n.reply_message_id, r.reply_message_id),
    reply_cursor = coalesce(n.reply_cursor, r.reply_cursor), usage = n.usage, updated_at = greatest(r.updated_at, $1)
  from json_to_recordset($n::json) as n(app_id text, run_id text, state text, delivery_state text, result json,
    reconcile_cause text, reconcile_until timestamptz, run_until timestamptz, run_left_ms bigint, timed_out boolean,
    finished_at timestamptz, reply_message_id text, reply_cursor bigint, usage json)
  where r.app_id = n.app_id and r.run_id = n.run_id`,
  replyStarts: `update runs r set reply_message_id = n.reply_message_id, reply_cursor = n.reply_cursor
  from json_to_recordset($n::json) as n(app_id text, run_id text, reply_message_id text, reply_cursor bigint)
  where r.app_id = n.app_id and r.run_id = n.run_id`,
  ready: `update runs r set ready = true from json_to_recordset($n::json) as n(app_id text, run_id text)
  where r.app_id = n.app_id and r.run_id = n.run_id`,
  messages: `insert into messages (app_id, conversation_id, cursor, message_id, run_id, generation, role, text, data,
    data_bytes, resource_ids, activities, activities_bytes, partial, created_at)
  select app_id, conversation_id, cursor, message_id, run_id, generation, role, text, data::json, ${longBytes('data')},
    resource_ids, activities, ${longBytes('activities::text')}, partial, $1
  from json_to_recordset($n::json) as n(app_id text, conversation_id text, cursor bigint, message_id text, run_id text,
    generation bigint, role text, text text, data text, resource_ids json, activities json, partial boolean)`,
  replies: `update messages m set text = n.text, data = n.data::json, data_bytes = ${longBytes('n.data')},
    activities = n.activities, activities_bytes = ${longBytes('n.activities::text')}, partial = n.partial
  from json_to_recordset($n::json) as n(app_id text, conversation_id text, cursor bigint, text text, data text,
    activities json, partial boolean)
  where m.app_id = n.app_id and m.conversation_id = n.conversation_id and m.cursor = n.cursor`,
  events: `insert into events (app_id, conversation_id, seq, event_id, generation, run_id, message_id, type, payload,
    payload_bytes, created_at)
  select app_id, conversation_id, seq, event_id, generation, run_id, message_id, type, payload, payload_bytes, $1
  from json_to_recordset($n::json) as n(app_id text, conversation_id text, seq bigint, event_id text, generation bigint,
    run_id text, message_id text, type text, payload json, payload_bytes integer)`,
  outgoing: `insert into deliveries (app_id, callback_id, event_id, delivery_id, callback_version, callback_revision,
    conversation_id, seq, event_type, body, next_attempt_at, expires_at, created_at, updated_at)
  select n.app_id, k.callback_id, n.event_id,
    ${newIdSql('dlv', '$1')},
    k.version, k.revision, n.conversation_id, n.seq, n.type,
    '{"conversation_id":"' || n.conversation_id || '","generation":' || n.generation || ',"event_id":"' || n.event_id
      || '","seq":' || n.seq || ',"run_id":' || coalesce('"' || n.run_id || '"', 'null')
      || ',"message_id":' || coalesce('"' || n.message_id || '"', 'null')
      || ',"type":"' || n.type || '","payload":' || n.payload || '}',
    $1, $1::timestamptz + make_interval(secs => ${DELIVERY_WINDOW_MS / 1000}), $1, $1
  from json_to_recordset($n::json) as n(app_id text, conversation_id text, device_id text, seq bigint, event_id text,
    generation bigint, run_id text, message_id text, type text, payload json)
  join callbacks k on k.app_id = n.app_id and k.device_id = n.device_id and k.enabled
    and n.type = any(string_to_array(k.event_types, ' '))
  returning event_id`,
  operations: `insert into operations (app_id, operation_id, conversation_id, subject, kind, run_id, state, generation, stop_until,
    created_at, updated_at)
  select app_id, operation_id, conversation_id, subject, kind, run_id, state, generation, stop_until, $1, $1
  from json_to_recordset($n::json) as n(app_id text, operation_id text, conversation_id text, subject text, kind text,
    run_id text, state text, generation bigint, stop_until timestamptz)
  on conflict (app_id, operation_id) do update
    set state = excluded.state, generation = excluded.generation,
      updated_at = greatest(operations.updated_at, excluded.updated_at)`,
  approvals: `insert into approvals (app_id, approval_id, conversation_id, run_id, summary, state, created_at, decided_at)
  select app_id, approval_id, conversation_id, run_id, summary, state, $1,
    case when state <> 'pending' then $1::timestamptz end
  from json_to_recordset($n::json) as n(app_id text, approval_id text, conversation_id text, run_id text, summary text, state text)`,
  withdrawn: `update approvals a set state = 'withdrawn', decided_at = $1
  from json_to_recordset($n::json) as n(app_id text, run_id text)
  where a.app_id = n.app_id and a.run_id = n.run_id and a.state = 'pending'`,
  resourceUses: `insert into resource_uses (app_id, resource_id, run_id) select app_id, resource_id, run_id
  from json_to_recordset($n::json) as n(app_id text, resource_id text, run_id text)`,
  records: `insert into idempotency (app_id, subject, key, fingerprint, status, response, created_at)
  select app_id, subject, key, decode(fingerprint, 'hex'), status, response, $1
  from json_to_recordset($n::json) as n(app_id text, subject text, key text, fingerprint text, status smallint, response json)
  order by app_id, subject, key`,
  pending: `insert into pending_runs as p (app_id, device_id, shard, unfinished)
  select app_id, device_id, shard, unfinished
  from json_to_recordset($n::json) as n(app_id text, device_id text, shard smallint, unfinished integer)
  order by app_id, device_id
  on conflict on constraint pending_runs_pkey do update set unfinished = p.unfinished + excluded.unfinished`,
}

const NAMES = Object.keys(PARTS) as Part[]

/** The statements in use, by their parts. In practice they are few: each kind of step in a life writes the same parts. */
const statements = new Map<string, Statement>()

/** The planner takes a list of unknown length for a short one: it looks rows up by key, also while it knows nothing of a table. */
const SHORT_LIST = '(select * from json_to_recordset($n::json) as n($1) limit (select 1000000)) n'
const LIST = /json_to_recordset\(\$n::json\) as n\(([^)]*)\)/

const statementOf = (parts: readonly Part[]): Statement => {
  const key = parts.map((part) => NAMES.indexOf(part).toString(16)).join('')
  const known = statements.get(key)
  if (known !== undefined) return known
  const texts = parts.map(
    (part, index) => `${part} as (\n  ${PARTS[part].replace(LIST, SHORT_LIST).replaceAll('$n', `$${index + 2}`)}\n)`,
  )
  const deliveries = parts.includes('outgoing') ? '(select count(*) from outgoing)' : '0'
  const statement: Statement = {
    name: `write_unit_${key}`,
    access: 'write',
    text: `with ${texts.join(', ')}\nselect ${deliveries} as deliveries`,
  }
  statements.set(key, statement)
  return statement
}

/** Events go with their payloads as they are on the wire, not put into JSON a second time. */
const eventJson = ({ payload, ...event }: EventRow): string => {
  const size = payload.length > SHORT_BYTES ? `"payload_bytes":${Buffer.byteLength(payload)},` : ''
  return `${JSON.stringify(event).slice(0, -1)},${size}"payload":${payload}}`
}

const jsonOf = (part: Part, rows: UnitRows, shard: number): string => {
  if (part === 'events' || part === 'outgoing') return `[${rows[part].map(eventJson).join()}]`
  if (part === 'pending') return JSON.stringify(rows.pending.map((row) => ({ ...row, shard })))
  return JSON.stringify(rows[part])
}

/**
 * Writes a unit of work in one statement; returns how many callbacks are to be delivered of it (D-40).
 * @param shard Which of the counters of unfinished runs it uses: units that are under way at once have one each.
 * @throws {UniqueViolation} `idempotency_pkey` when a key has been used.
 */
export const writeUnit = async (tx: Tx, rows: UnitRows, now: Date, shard: number): Promise<number> => {
  const parts = NAMES.filter((part) => rows[part].length > 0)
  if (parts.length === 0) return 0
  const params: Param[] = [now, ...parts.map((part) => jsonOf(part, rows, shard))]
  const [row] = await tx.query<{ deliveries: number }>(statementOf(parts), params)
  return row?.deliveries ?? 0
}
