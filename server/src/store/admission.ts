import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { JsonText } from '../domain/json/json-text.ts'
import type { Queryable, Statement, Tx } from './db.ts'

/** A message to admit: the caller has minted the IDs and checked all that needs no database. */
export interface NewAdmission {
  readonly conversationId: string
  readonly expectedGeneration: number
  readonly messageId: string
  readonly runId: string
  readonly eventId: string
  readonly text: string | null
  readonly data: JsonText | null
  readonly resourceIds: readonly string[]
  readonly startBefore: Date
  /** Whose the key is: the subject's, or a scope of its own. */
  readonly idempotencyScope: string
  readonly idempotencyKey: string
  readonly fingerprint: Uint8Array
}

/** What bounds an admission. Counts are of unfinished runs; `deviceOfflineBefore` is the oldest acceptable heartbeat. */
export interface AdmissionLimits {
  readonly queuedPerConversation: number
  readonly pendingPerApp: number
  /** For devices without a limit of their own. */
  readonly pendingPerDevice: number
  readonly deviceOfflineBefore: Date
}

export interface AdmittedRow {
  readonly eventCursor: number
  readonly deviceId: string
}

/**
 * How far below a pending limit an admission still runs without taking the limit's lock. The sums that it reads do
 * not see what concurrent statements add; as long as fewer statements than this are in flight at once, over all
 * processes, they cannot carry a count past its limit. Nearer to the limit admissions go one by one.
 */
export const PENDING_MARGIN = 64

/**
 * The whole admission as one statement, one round trip and one commit.
 *
 * What may race is tested in the WHERE of the UPDATE that locks the conversation: after a lock wait PostgreSQL
 * evaluates it again on the row as it then is, whereas the rest of the statement keeps its older snapshot. The
 * idempotency row depends on that update, so a second request with the key waits for the first and then fails on
 * the primary key, and nothing of it remains.
 */
const admitStatement = (
  name: string,
  attachments: { readonly [Part in 'found' | 'wanted' | 'used']: string },
): Statement => ({
  name,
  text: `
with ${attachments.found}conversation as (
  update conversations c
  set queued_runs = c.queued_runs + 1, last_seq = c.last_seq + 1, last_cursor = c.last_cursor + 1
  from endpoints e, devices d, gateway g
  where c.app_id = $1 and c.subject = $2 and c.conversation_id = $3
    and c.state = 'active' and c.generation = $4 and c.queued_runs < $15::integer
    and e.app_id = $1 and e.endpoint_id = c.endpoint_id and c.binding_version >= e.breaking_version
    and d.device_id = c.device_id and d.state = 'active' and d.heartbeat_at > $19
    and not g.admission_paused
    and (select coalesce(sum(unfinished), 0) from pending_runs where app_id = $1) < $16::integer - $18::integer
    and (select coalesce(sum(unfinished), 0) from pending_runs where device_id = c.device_id)
      < coalesce(d.pending_limit, $17::integer) - $18::integer${attachments.wanted}
  returning c.endpoint_id, c.device_id, c.binding_version, c.last_seq, c.last_cursor, c.shard,
    c.executing_run_id is null and c.queued_runs = 1 as ready
), counted as (
  update pending_runs p set unfinished = p.unfinished + 1
  from conversation c where p.app_id = $1 and p.device_id = c.device_id and p.shard = c.shard
), message as (
  insert into messages (app_id, conversation_id, cursor, message_id, run_id, generation, role, text, data, resource_ids, created_at)
  select $1, $3, last_cursor, $6, $7, $4, 'user', $9, $10::json, $11::json, $5 from conversation
), run as (
  insert into runs (app_id, run_id, conversation_id, subject, endpoint_id, device_id, message_id, generation,
    binding_version, position, admitted_seq, state, delivery_state, ready, start_before, created_at, updated_at)
  select $1, $7, $3, $2, endpoint_id, device_id, $6, $4, binding_version, last_cursor, last_seq,
    'queued', 'waiting_device', ready, $12, $5, $5 from conversation
), event as (
  insert into events (app_id, conversation_id, seq, event_id, generation, run_id, message_id, type, payload, created_at)
  select $1, $3, last_seq, $8, $4, $7, $6, 'run.updated', '{"state":"queued","delivery_state":"waiting_device"}', $5
  from conversation
), claim as (
  insert into idempotency (app_id, subject, key, fingerprint, status, response, created_at)
  select $1, $20, $13, $14, 202, json_build_object('conversation_id', $3::text, 'generation', $4::bigint,
    'message_id', $6::text, 'run_id', $7::text, 'state', 'queued', 'event_cursor', last_seq), $5
  from conversation
)${attachments.used}
select last_seq as "eventCursor", device_id as "deviceId" from conversation`,
})

const ADMIT = admitStatement('admit', { found: '', wanted: '', used: '' })

/**
 * The same with attachments, whose types and readiness the caller has read: neither changes any more. That they are
 * still there is locked, so that a deletion comes before the admission or finds it.
 */
const ADMIT_WITH_ATTACHMENTS = admitStatement('admit_with_attachments', {
  found: `attachment as (
  select resource_id from resources
  where app_id = $1 and subject = $2 and resource_id in (select json_array_elements_text($11::json))
  order by resource_id for key share
), `,
  wanted: `
    and (select count(*) from attachment) = json_array_length($11::json)`,
  used: `, used as (
  insert into resource_uses (app_id, resource_id, run_id)
  select $1, a.resource_id, $7 from conversation cross join attachment a
)`,
})

/**
 * Admits a message, or returns null when some condition does not hold; `diagnoseAdmission` then says which.
 * @param margin `PENDING_MARGIN`, or 0 under `lockPendingLimits`.
 * @throws {UniqueViolation} `idempotency_pkey` when the key has been used.
 */
export const admit = async (
  db: Queryable,
  { appId, subject }: Tenant,
  now: Date,
  admission: NewAdmission,
  limits: AdmissionLimits,
  margin: number,
): Promise<AdmittedRow | null> => {
  const rows = await db.query<AdmittedRow>(admission.resourceIds.length === 0 ? ADMIT : ADMIT_WITH_ATTACHMENTS, [
    appId,
    subject,
    admission.conversationId,
    admission.expectedGeneration,
    now,
    admission.messageId,
    admission.runId,
    admission.eventId,
    admission.text,
    admission.data?.text ?? null,
    admission.resourceIds.length === 0 ? null : JSON.stringify(admission.resourceIds),
    admission.startBefore,
    admission.idempotencyKey,
    admission.fingerprint,
    limits.queuedPerConversation,
    limits.pendingPerApp,
    limits.pendingPerDevice,
    margin,
    limits.deviceOfflineBefore,
    admission.idempotencyScope,
  ])
  return rows[0] ?? null
}

const LOCK_PENDING: Statement = {
  name: 'lock_pending_limits',
  text: `select pg_advisory_xact_lock(hashtextextended('pending:device:' || $2, 0)),
    pg_advisory_xact_lock(hashtextextended('pending:app:' || $1, 0))`,
}

/**
 * Lets admissions near a pending limit pass one at a time, so that each reads the exact count. Taken before any
 * conversation's lock, always.
 */
export const lockPendingLimits = async (tx: Tx, { appId }: Tenant, deviceId: string): Promise<void> => {
  await tx.query(LOCK_PENDING, [appId, deviceId])
}

/** All that an admission depends on, as it is now. */
export interface AdmissionConditions {
  readonly deviceId: string
  readonly generation: number
  readonly state: 'active' | 'resetting'
  readonly queuedRuns: number
  readonly bindingVersion: number
  readonly breakingVersion: number
  readonly admissionPaused: boolean
  readonly deviceState: 'active' | 'paused' | 'disabled'
  readonly heartbeatAt: Date | null
  readonly pendingOfApp: number
  readonly pendingOfDevice: number
  readonly pendingLimitOfDevice: number | null
}

const CONDITIONS: Statement = {
  name: 'admission_conditions',
  text: `
select c.device_id as "deviceId", c.generation, c.state, c.queued_runs as "queuedRuns", c.binding_version as "bindingVersion",
  e.breaking_version as "breakingVersion", g.admission_paused as "admissionPaused",
  d.state as "deviceState", d.heartbeat_at as "heartbeatAt", d.pending_limit as "pendingLimitOfDevice",
  (select coalesce(sum(unfinished), 0)::integer from pending_runs where app_id = $1) as "pendingOfApp",
  (select coalesce(sum(unfinished), 0)::integer from pending_runs where device_id = c.device_id) as "pendingOfDevice"
from conversations c
join endpoints e on e.app_id = c.app_id and e.endpoint_id = c.endpoint_id
join devices d on d.device_id = c.device_id
cross join gateway g
where c.app_id = $1 and c.subject = $2 and c.conversation_id = $3`,
}

/** Why an admission may have been refused, or null when the conversation is not this tenant's. */
export const readAdmissionConditions = async (
  db: Queryable,
  { appId, subject }: Tenant,
  conversationId: string,
): Promise<AdmissionConditions | null> =>
  (await db.query<AdmissionConditions>(CONDITIONS, [appId, subject, conversationId]))[0] ?? null
