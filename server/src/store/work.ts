import type { ConversationWork, Draft, OperationWork } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { DELIVERY_WINDOW_MS } from '@conversation-gateway/openapi/behaviour/retry-schedule'
import { isExecuting, isTerminal } from '@conversation-gateway/openapi/behaviour/run-state'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement, Tx } from './db.ts'
import type { ConversationKey } from './runs.ts'
import type { LoadedRun } from './work-rows.ts'
import { toRunRow, toRunWork } from './work-rows.ts'

/**
 * Everything unfinished in one conversation is read under the lock of its row, changed by the rules of `domain/`,
 * and written back by one statement. These are the only writers of run, operation and conversation states besides
 * the admission and the claim.
 */

type LockedConversation = Omit<ConversationWork, 'appId' | 'conversationId' | 'runs' | 'operations'>

const LOCK: Statement = {
  name: 'lock_conversation',
  text: `
select c.subject, c.endpoint_id as "endpointId", c.device_id as "deviceId", c.generation, c.binding_version as "bindingVersion", c.state, c.last_cursor as "lastCursor",
  e.published_version as "publishedVersion",
  not exists (select 1 from processes p where p.expires_at > $3 and p.run_slots > 0
    and (p.device_ids is null or c.device_id = any(p.device_ids))) as "deviceAway"
from conversations c
join endpoints e on e.app_id = c.app_id and e.endpoint_id = c.endpoint_id
where c.app_id = $1 and c.conversation_id = $2
for update of c`,
}

// A run is held as long as the process that holds it is there, which $3 may leave open, unless its worker has let go of it.
const LEASE_END = `case when r.lease_owner is not null then coalesce(r.lease_expires_at, case when $3::boolean then
    coalesce((select p.expires_at from processes p where p.process_id = r.lease_owner), 'epoch') end) end`

// The text of a streamed message is that of its delta events, so that what was streamed and what is kept are equal by
// construction (D-28).
const LOAD_RUNS: Statement = {
  name: 'load_unfinished_runs',
  text: `
select r.run_id as "runId", r.message_id as "messageId", r.generation, r.position, r.start_before as "startBefore",
  r.state, r.delivery_state as "deliveryState", ${LEASE_END} as "leaseExpiresAt",
  r.reconcile_cause as "reconcileCause", r.reconcile_until as "reconcileUntil", r.result,
  r.run_until as "runUntil", r.run_left_ms as "runLeftMs", r.timed_out as "timedOut",
  r.reply_message_id as "replyMessageId", r.reply_cursor as "replyCursor", m.created_at as "replyCreatedAt",
  (select string_agg(e.payload->>'text', '' order by e.seq) from events e
    where e.app_id = r.app_id and e.conversation_id = r.conversation_id and e.seq > r.admitted_seq
      and e.message_id = r.reply_message_id and e.type = 'assistant.delta') as "replyText",
  r.state <> 'queued' and exists (select 1 from messages w
    where w.app_id = r.app_id and w.conversation_id = r.conversation_id and w.cursor > r.position
      and w.run_id = r.run_id and w.role = 'assistant' and w.text is not null) as "hasWholeMessage",
  r.state <> 'queued' and exists (select 1 from approvals a
    where a.app_id = r.app_id and a.run_id = r.run_id and a.state = 'pending') as "awaitsApproval"
from runs r
left join messages m on m.app_id = r.app_id and m.conversation_id = r.conversation_id and m.cursor = r.reply_cursor
where r.app_id = $1 and r.conversation_id = $2
  and r.state in ('queued', 'running', 'waiting_approval', 'cancelling', 'reconciling')
order by r.position`,
}

const LOAD_OPERATIONS: Statement = {
  name: 'load_incomplete_operations',
  text: `
select operation_id as "operationId", kind, run_id as "runId", stop_until as "stopUntil", state, generation
from operations
where app_id = $1 and conversation_id = $2 and state in ('pending', 'waiting_device', 'stopping')
order by operation_id`,
}

/**
 * Locks a conversation and reads its unfinished work.
 * @param judge.processes false leaves open whether processes that hold runs are gone.
 */
export const lockWork = async (
  tx: Tx,
  { appId, conversationId }: ConversationKey,
  judge: { readonly now: Date; readonly processes: boolean },
): Promise<ConversationWork | null> => {
  const [conversation] = await tx.query<LockedConversation>(LOCK, [appId, conversationId, judge.now])
  if (conversation === undefined) return null
  const [runs, operations] = await Promise.all([
    tx.query<LoadedRun>(LOAD_RUNS, [appId, conversationId, judge.processes]),
    tx.query<OperationWork>(LOAD_OPERATIONS, [appId, conversationId]),
  ])
  return { appId, conversationId, ...conversation, runs: runs.map(toRunWork), operations }
}

const APPLY: Statement = {
  name: 'apply_draft',
  text: `
with conversation as (
  update conversations set
    generation = $4, binding_version = $5, state = $6, last_cursor = $7,
    queued_runs = $8, executing_run_id = $9, last_seq = last_seq + $10::integer
  where app_id = $1 and conversation_id = $2
  returning last_seq - $10::integer as base, device_id, shard, subject
), counted as (
  update pending_runs p set unfinished = p.unfinished - $11::integer
  from conversation c where $11::integer > 0 and p.app_id = $1 and p.device_id = c.device_id and p.shard = c.shard
), run as (
  update runs r set state = n.state, delivery_state = n.delivery_state, result = n.result,
    reconcile_cause = n.reconcile_cause, reconcile_until = n.reconcile_until, run_until = n.run_until,
    run_left_ms = n.run_left_ms, timed_out = n.timed_out, finished_at = n.finished_at, updated_at = $3
  from json_to_recordset($12::json) as n(run_id text, state text, delivery_state text, result json,
    reconcile_cause text, reconcile_until timestamptz, run_until timestamptz, run_left_ms bigint, timed_out boolean,
    finished_at timestamptz)
  where r.app_id = $1 and r.run_id = n.run_id
), next as (
  update runs set ready = true where app_id = $1 and run_id = $19 and not ready
), withdrawn as (
  update approvals a set state = 'withdrawn', decided_at = $3
  from json_to_recordset($12::json) as n(run_id text, finished_at timestamptz)
  where a.app_id = $1 and a.run_id = n.run_id and n.finished_at is not null and a.state = 'pending'
), operation as (
  insert into operations (app_id, operation_id, conversation_id, subject, kind, run_id, state, generation, stop_until, created_at, updated_at)
  select $1, n.operation_id, $2, c.subject, n.kind, n.run_id, n.state, n.generation, n.stop_until, $3, $3
  from conversation c cross join json_to_recordset($13::json) as n(operation_id text, kind text, run_id text, state text,
    generation bigint, stop_until timestamptz)
  on conflict (app_id, operation_id) do update
    set state = excluded.state, generation = excluded.generation, updated_at = excluded.updated_at
), event as (
  insert into events (app_id, conversation_id, seq, event_id, generation, run_id, message_id, type, payload, created_at)
  select $1, $2, c.base + n.ordinal, n.event_id, n.generation, n.run_id, n.message_id, n.type, n.payload, $3
  from conversation c cross join json_to_recordset($14::json) as n(ordinal integer, event_id text, generation bigint,
    run_id text, message_id text, type text, payload json)
  returning seq, event_id, generation, run_id, message_id, type, payload
), delivery as (
  insert into deliveries (app_id, callback_id, event_id, delivery_id, callback_version, callback_revision,
    conversation_id, seq, event_type, body, next_attempt_at, expires_at, created_at, updated_at)
  select $1, k.callback_id, n.event_id,
    'dlv_' || lpad(to_hex((extract(epoch from $3::timestamptz) * 1000)::bigint), 12, '0')
      || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14),
    k.version, k.revision, $2, n.seq, n.type,
    '{"conversation_id":"' || $2 || '","generation":' || n.generation || ',"event_id":"' || n.event_id
      || '","seq":' || n.seq || ',"run_id":' || coalesce('"' || n.run_id || '"', 'null')
      || ',"message_id":' || coalesce('"' || n.message_id || '"', 'null')
      || ',"type":"' || n.type || '","payload":' || n.payload || '}',
    $3, $18::timestamptz, $3, $3
  from conversation c
  join callbacks k on k.app_id = $1 and k.device_id = c.device_id and k.enabled
  join event n on n.type = any(string_to_array(k.event_types, ' '))
  returning event_id
), reply as (
  update messages m set text = n.text, partial = n.partial
  from json_to_recordset($15::json) as n(cursor bigint, text text, partial boolean)
  where m.app_id = $1 and m.conversation_id = $2 and m.cursor = n.cursor
), message as (
  insert into messages (app_id, conversation_id, cursor, message_id, run_id, generation, role, text, created_at)
  select $1, $2, n.cursor, n.message_id, n.run_id, n.generation, 'assistant', n.text, $3
  from json_to_recordset($16::json) as n(cursor bigint, message_id text, run_id text, generation bigint, text text)
), approval as (
  insert into approvals (app_id, approval_id, conversation_id, run_id, summary, state, created_at)
  select $1, n.approval_id, $2, n.run_id, n.summary, 'pending', $3
  from json_to_recordset($17::json) as n(approval_id text, run_id text, summary text)
)
select (select count(*) from delivery) as deliveries from conversation`,
}

/**
 * Writes what a draft decided, and in the same statement what is to be delivered of its events (D-40). Returns how many
 * callbacks that are.
 */
export const applyDraft = async (tx: Tx, draft: Draft): Promise<number> => {
  const { work, now } = draft
  const changedRuns = [...draft.changedRuns]
  const executing = work.runs.find(({ state }) => isExecuting(state))
  const queued = work.runs.filter(({ state }) => state === 'queued')
  const [row] = await tx.query<{ deliveries: number }>(APPLY, [
    work.appId,
    work.conversationId,
    now,
    work.generation,
    work.bindingVersion,
    work.state,
    work.lastCursor,
    queued.length,
    executing?.runId ?? null,
    draft.events.length,
    changedRuns.filter(({ state }) => isTerminal(state)).length,
    JSON.stringify(changedRuns.map((run) => toRunRow(run, now))),
    JSON.stringify(
      [...draft.changedOperations].map((operation) => ({
        operation_id: operation.operationId,
        kind: operation.kind,
        run_id: operation.runId,
        state: operation.state,
        generation: operation.generation,
        stop_until: operation.stopUntil,
      })),
    ),
    JSON.stringify(
      draft.events.map((event, index) => ({
        ordinal: index + 1,
        event_id: newId('evt', draft.now),
        generation: event.generation,
        run_id: event.runId,
        message_id: event.messageId,
        type: event.type,
        payload: event.payload,
      })),
    ),
    JSON.stringify(draft.replies),
    JSON.stringify(
      draft.messages.map((message) => ({
        cursor: message.cursor,
        message_id: message.messageId,
        run_id: message.runId,
        generation: message.generation,
        text: message.text,
      })),
    ),
    JSON.stringify(
      draft.approvals.map(({ approvalId, runId, summary }) => ({ approval_id: approvalId, run_id: runId, summary })),
    ),
    new Date(now.getTime() + DELIVERY_WINDOW_MS),
    executing === undefined ? (queued[0]?.runId ?? null) : null,
  ])
  if (row === undefined) throw new Error('the conversation vanished under its lock')
  return row.deliveries
}

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
