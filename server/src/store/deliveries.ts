import type { CallbackDeliveryState } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import type { DeliveryError } from '@conversation-gateway/openapi/behaviour/delivery-outcome'
import type { Queryable, Statement } from './db.ts'

/** A claimed delivery with everything that its attempt needs. */
export interface ClaimedDelivery {
  readonly appId: string
  readonly callbackId: string
  readonly eventId: string
  readonly deliveryId: string
  /** Attempts in the current window, and in total, including this one. */
  readonly attempts: number
  readonly attemptsEver: number
  readonly expiresAt: Date
  readonly body: string
  /** Usually without its query, which is stored encrypted. */
  readonly url: string
  readonly sealedQuery: Uint8Array | null
  /** The secret that signs; during a rotation this is still the previous one. */
  readonly sealedSecret: Uint8Array
  /** The run's trace context; null if none. */
  readonly traceparent: string | null
}

/** Number of a configuration's deliveries that the worker is attempting. */
export interface InFlight {
  readonly callbackId: string
  readonly count: number
}

export interface DeliveryClaim {
  readonly workerId: string
  readonly now: Date
  readonly leaseExpiresAt: Date
  /** Maximum deliveries of this claim. */
  readonly limit: number
  /** Maximum deliveries of one configuration, those in flight included. */
  readonly limitPerCallback: number
  readonly inFlight: readonly InFlight[]
}

/**
 * Claims due deliveries, for each configuration those that have been due longest. Rows locked by another worker are
 * skipped. The first attempt of a delivery waits until that of every earlier event of its conversation is over. A retry
 * does not wait, and no delivery waits for a retry (D-42). A delivery in another worker's uncommitted claim still looks
 * unattempted, so workers cannot overtake each other. Only the longest due deliveries of a configuration are examined,
 * so that the cost does not grow with a long queue of one conversation.
 */
const CLAIM: Statement = {
  name: 'claim_deliveries',
  access: 'write',
  text: `
with room as (
  select k.app_id, k.callback_id, k.revision, k.url, k.url_query,
    case when k.previous_secret_until > $1 then k.previous_secret else k.secret end as secret, $5::integer - coalesce(b.count, 0) as free,
    (select d.next_attempt_at from deliveries d
      where d.app_id = k.app_id and d.callback_id = k.callback_id and d.callback_revision = k.revision
        and d.state = 'pending' and d.next_attempt_at <= $1
      order by d.next_attempt_at offset 200 limit 1) as horizon
  from callbacks k
  left join json_to_recordset($6::json) as b(callback_id text, count integer) on b.callback_id = k.callback_id
  where k.enabled and coalesce(b.count, 0) < $5::integer
), due as (
  select d.*, k.url, k.url_query, k.secret
  from room k cross join lateral (
    select d.app_id, d.callback_id, d.event_id, d.next_attempt_at as due_at from deliveries d
    where d.app_id = k.app_id and d.callback_id = k.callback_id and d.callback_revision = k.revision
      and d.state = 'pending' and d.next_attempt_at <= coalesce(k.horizon, $1) and d.expires_at > $1
      and (d.attempts_ever > 0 or not exists (select 1 from deliveries e
        where e.app_id = d.app_id and e.callback_id = d.callback_id and e.conversation_id = d.conversation_id
          and e.seq < d.seq and e.callback_revision = d.callback_revision
          and e.attempts_ever <= 1 and e.state in ('pending', 'sending') and (e.attempts_ever = 0 or e.state = 'sending')))
    order by d.next_attempt_at limit k.free for update skip locked
  ) d
  order by d.due_at limit $4
), taken as (
  update deliveries d set state = 'sending', attempts = d.attempts + 1, attempts_ever = d.attempts_ever + 1,
    next_attempt_at = null, lease_owner = $2, lease_expires_at = $3, updated_at = $1
  from due where d.app_id = due.app_id and d.callback_id = due.callback_id and d.event_id = due.event_id
  returning d.*, due.due_at, due.url, due.url_query, due.secret
)
select app_id as "appId", callback_id as "callbackId", event_id as "eventId", delivery_id as "deliveryId", attempts,
  attempts_ever as "attemptsEver", expires_at as "expiresAt", body, url, url_query as "sealedQuery",
  secret as "sealedSecret",
  (select r.traceparent from runs r where r.app_id = taken.app_id and r.run_id = taken.body::json->>'run_id') as traceparent
from taken order by due_at`,
}

export const claimDeliveries = (db: Queryable, claim: DeliveryClaim): Promise<ClaimedDelivery[]> =>
  db.query<ClaimedDelivery>(CLAIM, [
    claim.now,
    claim.workerId,
    claim.leaseExpiresAt,
    claim.limit,
    claim.limitPerCallback,
    JSON.stringify(claim.inFlight.map(({ callbackId, count }) => ({ callback_id: callbackId, count }))),
  ])

/** The outcome of an attempt, and the resulting state. */
export interface FinishedAttempt {
  readonly delivery: Pick<ClaimedDelivery, 'appId' | 'callbackId' | 'eventId' | 'attemptsEver'>
  readonly state: CallbackDeliveryState
  readonly nextAttemptAt: Date | null
  readonly error: DeliveryError | null
  readonly startedAt: Date
  readonly latencyMs: number
  readonly status: number | null
  readonly excerpt: string | null
}

const FINISH: Statement = {
  name: 'finish_attempts',
  access: 'write',
  text: `
with delivery as (
  update deliveries d set state = f.state, next_attempt_at = f.next_attempt_at, last_error = f.error,
    body = case when f.state = 'delivered' then null else d.body end,
    lease_owner = null, lease_expires_at = null, updated_at = $2
  from json_to_recordset($3::json) as f(app_id text, callback_id text, event_id text, attempt integer, state text,
    next_attempt_at timestamptz, error json, started_at timestamptz, latency_ms integer, status smallint, excerpt text)
  where d.app_id = f.app_id and d.callback_id = f.callback_id and d.event_id = f.event_id
    and d.state = 'sending' and d.lease_owner = $1 and d.attempts_ever = f.attempt
  returning d.app_id, d.delivery_id, f.attempt, f.started_at, f.latency_ms, f.status, f.error, f.excerpt
)
insert into delivery_attempts (app_id, delivery_id, attempt, started_at, latency_ms, status, error, excerpt)
select app_id, delivery_id, attempt, started_at, latency_ms, status, error->>'message', excerpt from delivery`,
}

/** Records attempts of a worker. Deliveries that it has lost meanwhile, because a lease lapsed, are not changed. */
export const finishAttempts = async (
  db: Queryable,
  workerId: string,
  now: Date,
  attempts: readonly FinishedAttempt[],
): Promise<void> => {
  const rows = attempts.map(({ delivery, ...attempt }) => ({
    app_id: delivery.appId,
    callback_id: delivery.callbackId,
    event_id: delivery.eventId,
    attempt: delivery.attemptsEver,
    state: attempt.state,
    next_attempt_at: attempt.nextAttemptAt,
    error: attempt.error,
    started_at: attempt.startedAt,
    latency_ms: attempt.latencyMs,
    status: attempt.status,
    excerpt: attempt.excerpt,
  }))
  await db.query(FINISH, [workerId, now, JSON.stringify(rows)])
}

/**
 * Applies the effects of time and configuration changes to deliveries. The attempt of a dead worker is repeated; if no
 * attempt is left, the delivery expires. A delivery also expires when its window has passed. Deliveries of an older
 * configuration are cancelled: those that `updateCallback` could not cancel, because they were committed during the
 * change or were being attempted.
 */
const SETTLE: Statement = {
  name: 'settle_deliveries',
  access: 'write',
  text: `
with lapsed as (
  select app_id, callback_id, event_id, updated_at as started_at from deliveries
  where state = 'sending' and lease_expires_at <= $1
  limit $3 for update skip locked
), returned as (
  update deliveries d set lease_owner = null, lease_expires_at = null, last_error = $4::json, updated_at = $1,
    state = case when d.attempts >= $2::integer or d.expires_at <= $1 then 'expired' else 'pending' end,
    next_attempt_at = case when d.attempts >= $2::integer or d.expires_at <= $1 then null else $1 end
  from lapsed l where d.app_id = l.app_id and d.callback_id = l.callback_id and d.event_id = l.event_id
  returning d.app_id, d.delivery_id, d.attempts_ever, l.started_at
), logged as (
  insert into delivery_attempts (app_id, delivery_id, attempt, started_at, error)
  select app_id, delivery_id, attempts_ever, started_at, $4::json->>'message' from returned
), obsolete as (
  select d.* from callbacks k cross join lateral (
    select d.app_id, d.callback_id, d.event_id from deliveries d
    where d.app_id = k.app_id and d.callback_id = k.callback_id and d.callback_revision < k.revision and d.state = 'pending'
    order by d.callback_revision limit $3 for update skip locked
  ) d
), cancelled as (
  update deliveries d set state = 'cancelled_config_changed', next_attempt_at = null, body = null, updated_at = $1
  from obsolete o where d.app_id = o.app_id and d.callback_id = o.callback_id and d.event_id = o.event_id
  returning d.delivery_id
), late as (
  select app_id, callback_id, event_id from deliveries where state = 'pending' and expires_at <= $1
  limit $3 for update skip locked
), expired as (
  update deliveries d set state = 'expired', next_attempt_at = null, updated_at = $1
  from late l where d.app_id = l.app_id and d.callback_id = l.callback_id and d.event_id = l.event_id
  returning d.delivery_id
)
select (select count(*) from returned) as returned, (select count(*) from cancelled) as cancelled,
  (select count(*) from expired) as expired`,
}

export interface SettledDeliveries {
  readonly returned: number
  readonly cancelled: number
  readonly expired: number
}

/** @param error the reason recorded for an attempt of a dead worker. */
export const settleDeliveries = async (
  db: Queryable,
  settling: {
    readonly now: Date
    readonly maxAttempts: number
    readonly error: DeliveryError
    readonly limit: number
  },
): Promise<SettledDeliveries> => {
  const { now, maxAttempts, error, limit } = settling
  const [row] = await db.query<SettledDeliveries>(SETTLE, [now, maxAttempts, limit, JSON.stringify(error)])
  return row ?? { returned: 0, cancelled: 0, expired: 0 }
}
