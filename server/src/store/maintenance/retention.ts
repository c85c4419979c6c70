import type { Db, Statement } from '../db.ts'
import { DISCARDED } from '../uploads.ts'
import { BATCH_DEADLINE, planByParameters, queryByOwnPlan } from './own-plan.ts'

/** The arguments of a retention step. */
export interface Due {
  /** Where the previous step stopped: older rows were processed or are locked by others. */
  readonly from: Date
  readonly before: Date
}

export interface RemovalStep {
  /** How many rows the step processed; 0 at the end. */
  readonly found: number
  /** The time of the newest of them, where the next step begins, so that no step scans removed rows again. */
  readonly reached: Date | null
}

/**
 * Removes expired rows, oldest first, a bounded number at a time. Rows that another process is removing are skipped.
 */
export type Removal = (db: Db, due: Due, rows: number) => Promise<RemovalStep>

const NOTHING: RemovalStep = { found: 0, reached: null }

const removal =
  (statement: Statement): Removal =>
  async (db, { from, before }, rows) =>
    (await queryByOwnPlan<RemovalStep>(db, statement, [from, before, rows]))[0] ?? NOTHING

/**
 * Bodies of runs that ended before a given time: their messages are deleted and their results become null, but the
 * records of the runs stay. Runs are found by their input messages, so runs without bodies are not scanned again.
 */
export const removeBodies = removal({
  name: 'remove_bodies',
  access: 'write',
  text: `
with ended as (
  select r.app_id, r.run_id, r.conversation_id, r.position, m.created_at as age
  from messages m
  join runs r on r.app_id = m.app_id and r.run_id = m.run_id and r.position = m.cursor
  where m.created_at >= $1 and m.created_at < $2 and r.finished_at < $2
  order by m.created_at limit $3 for update of r skip locked
), run as (
  update runs r set result = null
  from ended e where r.app_id = e.app_id and r.run_id = e.run_id and r.result is not null
), begun as (
  select app_id, conversation_id, min(position) as position, array_agg(run_id) as run_ids
  from ended group by app_id, conversation_id
), message as (
  delete from messages m using begun b
  where m.app_id = b.app_id and m.conversation_id = b.conversation_id and m.cursor >= b.position
    and m.run_id = any(b.run_ids)
)
select count(*) as found, max(age) as reached from ended`,
})

/** Complete operations that have not changed since a given time. */
export const removeOperations = removal({
  name: 'remove_operations',
  access: 'write',
  text: `
with old as (
  select app_id, operation_id, updated_at as age from operations
  where state in ('succeeded', 'failed') and updated_at >= $1 and updated_at < $2
  order by updated_at limit $3 for update skip locked
), removed as (
  delete from operations o using old where o.app_id = old.app_id and o.operation_id = old.operation_id
)
select count(*) as found, max(age) as reached from old`,
})

/** Approvals that were decided or withdrawn before a given time. */
export const removeApprovals = removal({
  name: 'remove_approvals',
  access: 'write',
  text: `
with old as (
  select app_id, approval_id, decided_at as age from approvals
  where state <> 'pending' and decided_at >= $1 and decided_at < $2
  order by decided_at limit $3 for update skip locked
), removed as (
  delete from approvals a using old where a.app_id = old.app_id and a.approval_id = old.approval_id
)
select count(*) as found, max(age) as reached from old`,
})

/** Audit records older than a given time. */
export const removeAuditRecords = removal({
  name: 'remove_audit_records',
  access: 'write',
  text: `
with old as (
  select audit_id, at as age from audit_records where at >= $1 and at < $2 order by at limit $3 for update skip locked
), removed as (
  delete from audit_records a using old where a.audit_id = old.audit_id
)
select count(*) as found, max(age) as reached from old`,
})

/** Attachments that were declared before a given time and never got their content. */
export const removePendingResources = removal({
  name: 'remove_pending_resources',
  access: 'write',
  text: `
with old as (
  select app_id, resource_id, created_at as age from resources
  where created_at >= $1 and created_at < $2 and upload_id is null
  order by created_at limit $3 for update skip locked
), removed as (
  delete from resources r using old where r.app_id = old.app_id and r.resource_id = old.resource_id
)
select count(*) as found, max(age) as reached from old`,
})

const UNUSED_SINCE = `not exists (
    select 1 from resource_uses u join runs on runs.app_id = u.app_id and runs.run_id = u.run_id
    where u.app_id = r.app_id and u.resource_id = r.resource_id
      and (runs.finished_at is null or runs.finished_at >= $2))`

const LOCK_OLD_RESOURCES: Statement = {
  name: 'lock_old_resources',
  access: 'write',
  text: `
select r.app_id, r.resource_id, r.created_at as age from resources r
where r.created_at >= $1 and r.created_at < $2 and r.upload_id is not null and ${UNUSED_SINCE}
order by r.created_at limit $3 for update skip locked`,
}

const REMOVE_LOCKED_RESOURCES: Statement = {
  name: 'remove_locked_resources',
  access: 'write',
  text: `
with removed as (
  delete from resources r using json_to_recordset($1::json) as old(app_id text, resource_id text)
  where r.app_id = old.app_id and r.resource_id = old.resource_id and ${UNUSED_SINCE}
  returning r.app_id, r.resource_id, r.upload_id
), used as (
  delete from resource_uses u using removed r where u.app_id = r.app_id and u.resource_id = r.resource_id
)
insert into resource_uploads (app_id, upload_id, begun_at) select app_id, upload_id, ${DISCARDED} from removed`,
}

/**
 * Attachments that were declared before a given time, and whose runs all ended before it; their content is discarded.
 * Checks again under the lock whether an attachment is used, because an admission may have come first.
 */
export const removeResources: Removal = (db, { from, before }, rows) =>
  db.transaction(async (tx) => {
    await planByParameters(tx)
    const old = await tx.query<{ age: Date }>(LOCK_OLD_RESOURCES, [from, before, rows])
    if (old.length > 0) await tx.query(REMOVE_LOCKED_RESOURCES, [JSON.stringify(old), before])
    return { found: old.length, reached: old.at(-1)?.age ?? null }
  }, BATCH_DEADLINE)

/** Discards uploads that were begun before a given time and have not become the content of an attachment. */
export const discardUploads = removal({
  name: 'discard_uploads',
  access: 'write',
  text: `
with old as (
  select app_id, upload_id, begun_at as age from resource_uploads
  where begun_at >= $1 and begun_at > ${DISCARDED} and begun_at < $2
  order by begun_at limit $3 for update skip locked
), discarded as (
  update resource_uploads u set begun_at = ${DISCARDED}
  from old where u.app_id = old.app_id and u.upload_id = old.upload_id
)
select count(*) as found, max(age) as reached from old`,
})

/** Payloads of deliveries that can only be retried manually, for events older than a given time; the records stay. */
export const removePayloads = removal({
  name: 'remove_payloads',
  access: 'write',
  text: `
with old as (
  select app_id, callback_id, event_id, created_at as age from deliveries
  where created_at >= $1 and created_at < $2 and body is not null and state in ('needs_action', 'expired')
  order by created_at limit $3 for update skip locked
), emptied as (
  update deliveries d set body = null
  from old where d.app_id = old.app_id and d.callback_id = old.callback_id and d.event_id = old.event_id
)
select count(*) as found, max(age) as reached from old`,
})

/** Finished deliveries of events older than a given time, with their attempts. */
export const removeDeliveries = removal({
  name: 'remove_deliveries',
  access: 'write',
  text: `
with old as (
  select app_id, callback_id, event_id, delivery_id, created_at as age from deliveries
  where created_at >= $1 and created_at < $2 and state not in ('pending', 'sending')
  order by created_at limit $3 for update skip locked
), removed as (
  delete from deliveries d using old
  where d.app_id = old.app_id and d.callback_id = old.callback_id and d.event_id = old.event_id
), attempts as (
  delete from delivery_attempts a using old where a.app_id = old.app_id and a.delivery_id = old.delivery_id
)
select count(*) as found, max(age) as reached from old`,
})

/** Old secrets whose overlap has ended. */
export const removePreviousSecrets = removal({
  name: 'remove_previous_secrets',
  access: 'write',
  text: `
with webhook as (
  update webhooks w set previous_secret = null, previous_secret_until = null
  from (select app_id, integration_id from webhooks where previous_secret_until >= $1 and previous_secret_until < $2
    limit $3 for update skip locked) old
  where w.app_id = old.app_id and w.integration_id = old.integration_id
  returning 1
), callback as (
  update callbacks k set previous_secret = null, previous_secret_until = null
  from (select app_id, callback_id from callbacks where previous_secret_until >= $1 and previous_secret_until < $2
    limit $3 for update skip locked) old
  where k.app_id = old.app_id and k.callback_id = old.callback_id
  returning 1
), service as (
  update endpoints e set previous_secret = null, previous_secret_until = null
  from (select app_id, endpoint_id from endpoints where previous_secret_until >= $1 and previous_secret_until < $2
    limit $3 for update skip locked) old
  where e.app_id = old.app_id and e.endpoint_id = old.endpoint_id
  returning 1
)
select (select count(*) from webhook) + (select count(*) from callback) + (select count(*) from service) as found, null::timestamptz as reached`,
})

/** Idempotency records of requests admitted before a given time (D-12). */
export const removeIdempotencyRecords = removal({
  name: 'remove_idempotency_records',
  access: 'write',
  text: `
with old as (
  select app_id, subject, key, created_at as age from idempotency where created_at >= $1 and created_at < $2
  order by created_at limit $3 for update skip locked
), removed as (
  delete from idempotency i using old where i.app_id = old.app_id and i.subject = old.subject and i.key = old.key
)
select count(*) as found, max(age) as reached from old`,
})
