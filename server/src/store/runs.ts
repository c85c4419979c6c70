import type { RunResult } from '../domain/conversation-changes.ts'
import type { DeliveryState, RunState } from '../domain/run-state.ts'
import type { Tenant } from '../domain/tenant.ts'
import type { Queryable, Statement } from './db.ts'

export interface StoredRun {
  readonly runId: string
  readonly messageId: string
  readonly conversationId: string
  readonly generation: number
  readonly state: RunState
  readonly deliveryState: DeliveryState
  readonly result: RunResult | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deviceId: string
  readonly endpointId: string
}

const FIND: Statement = {
  name: 'find_run',
  text: `select run_id as "runId", message_id as "messageId", conversation_id as "conversationId", generation, state,
    delivery_state as "deliveryState", result, created_at as "createdAt", updated_at as "updatedAt",
    device_id as "deviceId", endpoint_id as "endpointId"
  from runs where app_id = $1 and subject = $2 and run_id = $3`,
}

export const findRun = async (db: Queryable, { appId, subject }: Tenant, runId: string): Promise<StoredRun | null> =>
  (await db.query<StoredRun>(FIND, [appId, subject, runId]))[0] ?? null

/** A run taken for execution, with what its assistant needs. */
export interface ClaimedRun {
  readonly appId: string
  readonly subject: string
  readonly conversationId: string
  readonly runId: string
  readonly messageId: string
  readonly endpointId: string
  readonly deviceId: string
  readonly generation: number
  readonly bindingVersion: number
  readonly position: number
  readonly lastSeq: number
  readonly assistant: unknown
  readonly text: string | null
  /** In JSON, as it was sent. */
  readonly data: string | null
  readonly resourceIds: readonly string[] | null
}

/**
 * Takes the oldest queued run of each conversation in which none executes. Conversations that another worker is
 * looking at are skipped, never waited for. The locked row is read again after the lock, so `executing_run_id is null`
 * holds for the conversation as it is; the run is tested again by its own update.
 */
const CLAIM: Statement = {
  name: 'claim_runs',
  text: `
with ready as (
  select r.app_id, r.run_id
  from runs r
  join conversations c on c.app_id = r.app_id and c.conversation_id = r.conversation_id
  where r.device_id = $1 and r.state = 'queued' and r.start_before > $2 and c.executing_run_id is null
    and exists (select 1 from processes p where p.process_id = $3 and p.expires_at > $2)
    and exists (select 1 from devices d where d.device_id = $1 and d.state = 'active')
    and not exists (select 1 from runs earlier
      where earlier.app_id = r.app_id and earlier.conversation_id = r.conversation_id
        and earlier.position < r.position and earlier.state = 'queued' and earlier.start_before > $2)
  order by r.run_id limit $4 for update of c skip locked
), taken as (
  update runs r set state = 'running', delivery_state = 'device_received', lease_owner = $3, updated_at = $2
  from ready where r.app_id = ready.app_id and r.run_id = ready.run_id and r.state = 'queued'
  returning r.*
), conversation as (
  update conversations c set executing_run_id = t.run_id, queued_runs = c.queued_runs - 1, last_seq = c.last_seq + 1
  from taken t where c.app_id = t.app_id and c.conversation_id = t.conversation_id
  returning c.app_id, c.conversation_id, c.last_seq
), event as (
  insert into events (app_id, conversation_id, seq, event_id, generation, run_id, message_id, type, payload, created_at)
  select t.app_id, t.conversation_id, c.last_seq, 
    'evt_' || lpad(to_hex((extract(epoch from $2::timestamptz) * 1000)::bigint), 12, '0')
      || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14),
    t.generation, t.run_id, t.message_id, 'run.started', '{"state":"running"}', $2
  from taken t join conversation c on c.app_id = t.app_id and c.conversation_id = t.conversation_id
)
select t.app_id as "appId", t.subject, t.conversation_id as "conversationId", t.run_id as "runId",
  t.message_id as "messageId", t.endpoint_id as "endpointId", t.device_id as "deviceId", t.generation,
  t.binding_version as "bindingVersion", t.position, c.last_seq as "lastSeq", v.assistant,
  m.text, m.data::text as data, m.resource_ids as "resourceIds"
from taken t
join conversation c on c.app_id = t.app_id and c.conversation_id = t.conversation_id
join endpoint_versions v on v.app_id = t.app_id and v.endpoint_id = t.endpoint_id and v.version = t.binding_version
join messages m on m.app_id = t.app_id and m.conversation_id = t.conversation_id and m.cursor = t.position
order by t.run_id`,
}

export const claimRuns = (
  db: Queryable,
  claim: {
    readonly deviceId: string
    readonly workerId: string
    readonly now: Date
    readonly limit: number
  },
): Promise<ClaimedRun[]> => db.query<ClaimedRun>(CLAIM, [claim.deviceId, claim.now, claim.workerId, claim.limit])

/** What a worker learns about a run that it holds when it looks at it. */
export interface HeldRun {
  readonly appId: string
  readonly runId: string
  readonly conversationId: string
  readonly state: RunState
  /** Lost for a while, or with a stop waiting for this worker, which is there: it has to report that it is back. */
  readonly needsResume: boolean
}

const HELD: Statement = {
  name: 'held_runs',
  text: `
select r.app_id as "appId", r.run_id as "runId", r.conversation_id as "conversationId", r.state,
  exists (select 1 from processes p where p.process_id = $1 and p.expires_at > $3)
    and (coalesce(r.reconcile_cause = 'lease_lost', false) or exists (select 1 from operations o
      where o.app_id = r.app_id and o.conversation_id = r.conversation_id and o.state = 'waiting_device')) as "needsResume"
from json_to_recordset($2::json) as held(app_id text, run_id text)
join runs r on r.app_id = held.app_id and r.run_id = held.run_id
where r.lease_owner = $1 and r.lease_expires_at is null
  and r.state in ('running', 'waiting_approval', 'cancelling', 'reconciling')`,
}

export interface RunKey {
  readonly appId: string
  readonly runId: string
}

/** How runs of one worker stand. A run that is missing from the answer is no longer the worker's. */
export const readHeldRuns = (db: Queryable, workerId: string, runs: readonly RunKey[], now: Date): Promise<HeldRun[]> =>
  db.query<HeldRun>(HELD, [workerId, keysOf(runs), now])

const LET_GO: Statement = {
  name: 'let_go_of_runs',
  text: `
update runs r set lease_expires_at = $3
from json_to_recordset($2::json) as dropped(app_id text, run_id text)
where r.app_id = dropped.app_id and r.run_id = dropped.run_id and r.lease_owner = $1 and r.lease_expires_at is null
  and r.state in ('running', 'waiting_approval', 'cancelling', 'reconciling')`,
}

/** Gives runs of a worker that lives on a lease of their own, which nobody renews. */
export const letGoOfRuns = async (
  db: Queryable,
  workerId: string,
  runs: readonly RunKey[],
  leaseExpiresAt: Date,
): Promise<void> => {
  await db.query(LET_GO, [workerId, keysOf(runs), leaseExpiresAt])
}

const keysOf = (runs: readonly RunKey[]): string =>
  JSON.stringify(runs.map(({ appId, runId }) => ({ app_id: appId, run_id: runId })))

export interface ConversationKey {
  readonly appId: string
  readonly conversationId: string
}

const EXECUTING: Statement = {
  name: 'executing_conversations',
  text: `
select app_id as "appId", conversation_id as "conversationId" from runs
where state in ('running', 'waiting_approval', 'cancelling', 'reconciling')`,
}

/** Conversations in which a run executes. */
export const findExecutingConversations = (db: Queryable): Promise<ConversationKey[]> =>
  db.query<ConversationKey>(EXECUTING, [])

// What a process holds is judged by its row, which $2 can rule out; what it has let go of has a time of its own.
const DUE: Statement = {
  name: 'due_conversations',
  text: `
select app_id as "appId", conversation_id as "conversationId" from (
  select app_id, conversation_id from runs where state = 'queued' and start_before <= $1
  union
  select app_id, conversation_id from runs r
  where state in ('running', 'waiting_approval', 'cancelling', 'reconciling')
    and case when state = 'reconciling' then reconcile_until <= $1
      when lease_expires_at is not null then lease_expires_at <= $1
      else $2 and not exists (select 1 from processes p where p.process_id = r.lease_owner and p.expires_at > $1) end
  union
  select app_id, conversation_id from operations
  where state in ('pending', 'waiting_device', 'stopping') and stop_until <= $1
) due limit $3`,
}

/**
 * Conversations in which something is due by the passing of time.
 * @param search.judgesProcesses false leaves out what would be due only because a process is gone.
 */
export const findDueConversations = (
  db: Queryable,
  search: { readonly now: Date; readonly judgesProcesses: boolean; readonly limit: number },
): Promise<ConversationKey[]> => db.query<ConversationKey>(DUE, [search.now, search.judgesProcesses, search.limit])
