import type { ShownRun } from '@conversation-gateway/openapi/behaviour/records'
import type { RunState } from '@conversation-gateway/openapi/behaviour/run-state'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement } from './db.ts'

export interface StoredRun extends ShownRun {
  readonly deviceId: string
  readonly endpointId: string
}

const FIND: Statement = {
  name: 'find_run',
  access: 'read',
  text: `select run_id as "runId", message_id as "messageId", conversation_id as "conversationId", generation, state,
    delivery_state as "deliveryState", result, created_at as "createdAt", updated_at as "updatedAt",
    device_id as "deviceId", endpoint_id as "endpointId"
  from runs where app_id = $1 and subject = $2 and run_id = $3`,
}

export const findRun = async (db: Queryable, { appId, subject }: Tenant, runId: string): Promise<StoredRun | null> =>
  (await db.query<StoredRun>(FIND, [appId, subject, runId]))[0] ?? null

/** The state of a held run, as its worker polls it. */
export interface HeldRun {
  readonly appId: string
  readonly runId: string
  readonly conversationId: string
  readonly state: RunState
  /** Whether a stop is requested, even one that was not confirmed in its window. False for a run that was only lost. */
  readonly stopWanted: boolean
  /**
   * Whether the live worker must report that it has resumed the run: the run was lost for a while, or a stop waits for
   * the worker.
   */
  readonly needsResume: boolean
}

const HELD: Statement = {
  name: 'held_runs',
  access: 'read',
  text: `
select r.app_id as "appId", r.run_id as "runId", r.conversation_id as "conversationId", r.state,
  r.state = 'cancelling' or coalesce(r.reconcile_cause = 'stop_unconfirmed', false) as "stopWanted",
  exists (select 1 from processes p where p.process_id = $1 and p.expires_at > $3)
    and (coalesce(r.reconcile_cause = 'lease_lost', false) or exists (select 1 from operations o
      where o.app_id = r.app_id and o.conversation_id = r.conversation_id and o.state = 'waiting_device')) as "needsResume"
from runs r
where r.lease_owner = $1 and r.lease_expires_at is null
  and r.state in ('running', 'waiting_approval', 'cancelling', 'reconciling')
  and ($2::json is null or r.run_id in (select json_array_elements_text($2::json)))`,
}

export interface RunKey {
  readonly appId: string
  readonly runId: string
}

/** The states of all or the given runs of a worker. The worker has lost every missing run. */
export const readHeldRuns = (
  db: Queryable,
  workerId: string,
  runIds: readonly string[] | null,
  now: Date,
): Promise<HeldRun[]> => db.query<HeldRun>(HELD, [workerId, runIds === null ? null : JSON.stringify(runIds), now])

const RELEASE: Statement = {
  name: 'release_leases',
  access: 'write',
  text: `
update runs r set lease_expires_at = $3
from json_to_recordset($2::json) as dropped(app_id text, run_id text)
where r.app_id = dropped.app_id and r.run_id = dropped.run_id and r.lease_owner = $1 and r.lease_expires_at is null
  and r.state in ('running', 'waiting_approval', 'cancelling', 'reconciling')`,
}

/** Gives runs of a live worker separate leases that are not renewed. */
export const releaseLeases = async (
  db: Queryable,
  workerId: string,
  runs: readonly RunKey[],
  leaseExpiresAt: Date,
): Promise<void> => {
  await db.query(RELEASE, [workerId, keysOf(runs), leaseExpiresAt])
}

const keysOf = (runs: readonly RunKey[]): string =>
  JSON.stringify(runs.map(({ appId, runId }) => ({ app_id: appId, run_id: runId })))

export interface ConversationKey {
  readonly appId: string
  readonly conversationId: string
}

/** Conversations as a parameter: a list of rows with `app_id` and `conversation_id`. */
export const conversationList = (conversations: readonly ConversationKey[]): string =>
  JSON.stringify(conversations.map(({ appId, conversationId }) => ({ app_id: appId, conversation_id: conversationId })))

const ORPHANED: Statement = {
  name: 'orphaned_conversations',
  access: 'read',
  text: `
select app_id as "appId", conversation_id as "conversationId" from runs r
where state in ('running', 'waiting_approval', 'cancelling', 'reconciling')
  and not exists (select 1 from processes p where p.process_id = r.lease_owner)`,
}

/** Conversations with an executing run whose process has no row. */
export const findOrphanedConversations = (db: Queryable): Promise<ConversationKey[]> =>
  db.query<ConversationKey>(ORPHANED, [])

// A held run is due if its process is dead, but only if $2 is true. A released run has its own lease.
const DUE: Statement = {
  name: 'due_conversations',
  access: 'read',
  text: `
select app_id as "appId", conversation_id as "conversationId" from (
  select app_id, conversation_id from runs where state = 'queued' and start_before <= $1
  union
  select app_id, conversation_id from runs r
  where state in ('running', 'waiting_approval', 'cancelling', 'reconciling')
    and (run_until <= $1 or case when state = 'reconciling' then reconcile_until <= $1
      when lease_expires_at is not null then lease_expires_at <= $1
      else $2 and not exists (select 1 from processes p where p.process_id = r.lease_owner and p.expires_at > $1) end)
  union
  select app_id, conversation_id from operations
  where state in ('pending', 'waiting_device', 'stopping') and stop_until <= $1
) due limit $3`,
}

/**
 * Conversations with work whose deadline or lease has passed, or whose process is dead.
 * @param search.judgesProcesses false excludes conversations that are due only because a process is dead.
 */
export const findDueConversations = (
  db: Queryable,
  search: { readonly now: Date; readonly judgesProcesses: boolean; readonly limit: number },
): Promise<ConversationKey[]> => db.query<ConversationKey>(DUE, [search.now, search.judgesProcesses, search.limit])
