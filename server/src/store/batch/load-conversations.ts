import type { OperationWork } from '@conversation-gateway/openapi/behaviour/conversation-work'
import type { ActivitySizes } from '../../domain/activity-sizes.ts'
import type { Statement, Tx } from '../db.ts'
import type { ConversationKey } from '../runs.ts'
import { conversationList } from '../runs.ts'
import { serves } from '../serves.ts'
import type { LoadedRun } from './run-columns.ts'

/** The reads of a batch, in one round trip: it first locks its conversations, and then reads the rest. */

/** Counts of the output that a worker has sent for the executing run. */
export interface ExecutingOutput {
  readonly steps: number
  readonly deltas: number
  readonly bytes: number
  /** Absent if there are none. */
  readonly activities?: ActivitySizes
}

/** The locked row of a conversation, with the related state that rules need. */
export interface LockedConversation extends ConversationKey {
  readonly subject: string
  readonly endpointId: string
  readonly deviceId: string
  readonly generation: number
  readonly bindingVersion: number
  readonly state: 'active' | 'resetting'
  readonly queuedRuns: number
  readonly executingRunId: string | null
  readonly executingOutput: ExecutingOutput | null
  readonly lastSeq: number
  readonly lastCursor: number
  readonly publishedVersion: number
  readonly breakingVersion: number
  /** Whether no live process with slots serves the device. */
  readonly deviceAway: boolean
  readonly deviceState: 'active' | 'paused' | 'disabled'
  readonly heartbeatAt: Date | null
  /** The device's own limit; null for the gateway's default. */
  readonly pendingLimitOfDevice: number | null
  readonly admissionPaused: boolean
  /** Whether its application has a callback configuration for its device. */
  readonly hasCallbacks: boolean
}

// Forces locking row by row in the order of the list, whatever the planner estimates.
const lockStatement = (name: string, waiting: '' | ' skip locked'): Statement => ({
  name,
  access: 'write',
  text: `
select c.app_id as "appId", c.conversation_id as "conversationId", c.subject, c.endpoint_id as "endpointId",
  c.device_id as "deviceId", c.generation, c.binding_version as "bindingVersion", c.state,
  c.queued_runs as "queuedRuns", c.executing_run_id as "executingRunId", c.executing_output as "executingOutput", c.last_seq as "lastSeq",
  c.last_cursor as "lastCursor", e.published_version as "publishedVersion", e.breaking_version as "breakingVersion",
  not exists (select 1 from processes p where p.expires_at > $2 and p.run_slots > 0
    and ${serves('p', 'd')}) as "deviceAway",
  d.state as "deviceState", d.heartbeat_at as "heartbeatAt", d.pending_limit as "pendingLimitOfDevice",
  (select admission_paused from gateway) as "admissionPaused",
  exists (select 1 from callbacks k where k.app_id = c.app_id and k.device_id = c.device_id)
    as "hasCallbacks"
from json_to_recordset($1::json) as n(app_id text, conversation_id text)
cross join lateral (
  select * from conversations where app_id = n.app_id and conversation_id = n.conversation_id for update${waiting}
) c
cross join lateral (select * from endpoints where app_id = c.app_id and endpoint_id = c.endpoint_id offset 0) e
cross join lateral (select * from devices where device_id = c.device_id offset 0) d`,
})

const LOCK = lockStatement('lock_conversations', '')
const LOCK_FREE = lockStatement('lock_free_conversations', ' skip locked')

/**
 * Locks conversations in the given order. The answer omits conversations that do not exist, and, unless `waits`,
 * those that another transaction has locked.
 */
export const lockConversations = (
  tx: Tx,
  conversations: readonly ConversationKey[],
  { now, waits }: { readonly now: Date; readonly waits: boolean },
): Promise<LockedConversation[]> =>
  tx.query<LockedConversation>(waits ? LOCK : LOCK_FREE, [conversationList(conversations), now])

// A run is held as long as its process is alive, unless its worker has released it. If $2 is false, processes are not
// checked: a run that is not released then has no lease end.
const LEASE_END = `case when r.lease_owner is not null then coalesce(r.lease_expires_at, case when $2::boolean then
    coalesce((select p.expires_at from processes p where p.process_id = r.lease_owner), 'epoch') end) end`

// The content of a streamed message is read from its events, so that streamed and stored content are always equal
// (D-28, D-69). Of a long conversation only the executing run and the queued runs are read.
const LOAD_RUNS: Statement = {
  name: 'load_unfinished_runs',
  access: 'read',
  text: `
select r.app_id as "appId", r.conversation_id as "conversationId", r.run_id as "runId", r.message_id as "messageId", r.generation, r.position,
  r.start_before as "startBefore", r.state, r.delivery_state as "deliveryState", ${LEASE_END} as "leaseExpiresAt",
  r.reconcile_cause as "reconcileCause", r.reconcile_until as "reconcileUntil", r.result,
  r.run_until as "runUntil", r.run_left_ms as "runLeftMs", r.timed_out as "timedOut",
  r.reply_message_id as "replyMessageId", r.reply_cursor as "replyCursor", r.traceparent, m.created_at as "replyCreatedAt",
  s.text as "replyText", s.activities as "replyActivities",
  r.state <> 'queued' and exists (select 1 from messages w
    where w.app_id = r.app_id and w.conversation_id = r.conversation_id and w.cursor > r.position
      and w.run_id = r.run_id and w.role = 'assistant' and w.text is not null) as "hasWholeMessage",
  r.state <> 'queued' and exists (select 1 from approvals a
    where a.app_id = r.app_id and a.run_id = r.run_id and a.state = 'pending') as "awaitsApproval"
from (
  select e.* from json_to_recordset($1::json) as n(app_id text, conversation_id text)
  cross join lateral (
    select * from runs where app_id = n.app_id and conversation_id = n.conversation_id
      and state in ('running', 'waiting_approval', 'cancelling', 'reconciling') offset 0
  ) e
  union all
  select q.* from json_to_recordset($1::json) as n(app_id text, conversation_id text)
  cross join lateral (
    select queued_runs from conversations where app_id = n.app_id and conversation_id = n.conversation_id offset 0
  ) c
  cross join lateral (
    select * from runs where c.queued_runs > 0 and app_id = n.app_id and conversation_id = n.conversation_id
      and state = 'queued' order by position offset 0
  ) q
) r
left join messages m on m.app_id = r.app_id and m.conversation_id = r.conversation_id and m.cursor = r.reply_cursor
left join lateral (
  select string_agg(e.payload->>'text', '' order by e.seq) filter (where e.type = 'assistant.delta') as text,
    json_agg(e.payload->'activity' order by e.seq) filter (where e.type = 'assistant.activity') as activities
  from events e
  where e.app_id = r.app_id and e.conversation_id = r.conversation_id and e.seq > r.admitted_seq
    and e.message_id = r.reply_message_id and e.type in ('assistant.delta', 'assistant.activity')
) s on r.reply_message_id is not null
order by r.conversation_id, r.position`,
}

const LOAD_OPERATIONS: Statement = {
  name: 'load_incomplete_operations',
  access: 'read',
  text: `
select o.app_id as "appId", o.conversation_id as "conversationId", o.operation_id as "operationId", o.kind, o.run_id as "runId",
  o.stop_until as "stopUntil", o.state, o.generation
from json_to_recordset($1::json) as n(app_id text, conversation_id text)
cross join lateral (
  select * from operations where app_id = n.app_id and conversation_id = n.conversation_id
    and state in ('pending', 'waiting_device', 'stopping') offset 0
) o
order by o.operation_id`,
}

type OfConversation<T> = T & ConversationKey
type TracedRun = OfConversation<LoadedRun> & { readonly traceparent: string | null }

export interface LoadedWork {
  readonly runs: readonly TracedRun[]
  readonly operations: readonly OfConversation<OperationWork>[]
}

/**
 * The unfinished work of locked conversations.
 * @param judgesProcesses false if the caller cannot tell which processes are dead.
 */
export const loadWork = async (
  tx: Tx,
  conversations: readonly ConversationKey[],
  judgesProcesses: boolean,
): Promise<LoadedWork> => {
  const keys = conversationList(conversations)
  const [runs, operations] = await Promise.all([
    tx.query<TracedRun>(LOAD_RUNS, [keys, judgesProcesses]),
    tx.query<OfConversation<OperationWork>>(LOAD_OPERATIONS, [keys]),
  ])
  return { runs, operations }
}
