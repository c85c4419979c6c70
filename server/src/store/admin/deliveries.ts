import type { CallbackDeliveryState } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import type { DeliveryError } from '@conversation-gateway/openapi/behaviour/delivery-outcome'
import type { Db, Queryable, Statement, Tx } from '../db.ts'
import { queryByOwnPlan } from '../maintenance/own-plan.ts'

/** The delivery of one event to one configuration. */
export interface StoredDelivery {
  readonly deliveryId: string
  readonly callbackId: string
  readonly callbackVersion: number
  readonly appId: string
  readonly conversationId: string
  readonly eventId: string
  readonly eventType: string
  readonly seq: number
  readonly state: CallbackDeliveryState
  /** In the current window. */
  readonly attempts: number
  readonly lastError: DeliveryError | null
  readonly nextAttemptAt: Date | null
  readonly expiresAt: Date
  /** Whether the payload still exists. */
  readonly hasBody: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const DELIVERY_COLUMNS = `delivery_id as "deliveryId", callback_id as "callbackId", callback_version as "callbackVersion",
  app_id as "appId", conversation_id as "conversationId", event_id as "eventId", event_type as "eventType", seq, state,
  attempts, last_error as "lastError", next_attempt_at as "nextAttemptAt", expires_at as "expiresAt",
  body is not null as "hasBody", created_at as "createdAt", updated_at as "updatedAt"`

const FIND: Statement = {
  name: 'find_delivery',
  access: 'read',
  text: `select ${DELIVERY_COLUMNS} from deliveries where delivery_id = $1`,
}

export const findDelivery = async (db: Queryable, deliveryId: string): Promise<StoredDelivery | null> =>
  (await db.query<StoredDelivery>(FIND, [deliveryId]))[0] ?? null

export interface StoredPayload {
  /** The run of the event, if the event or the body still exists. */
  readonly runId: string | null
  /** The body of every attempt; null if it will not be sent again or was not requested. */
  readonly body: string | null
}

const PAYLOAD: Statement = {
  name: 'find_payload',
  access: 'read',
  text: `select coalesce(e.run_id, d.body::json ->> 'run_id') as "runId", case when $2 then d.body end as body
    from deliveries d
    left join events e on e.app_id = d.app_id and e.conversation_id = d.conversation_id and e.seq = d.seq
    where d.delivery_id = $1`,
}

export const findPayload = async (
  db: Queryable,
  deliveryId: string,
  withBody: boolean,
): Promise<StoredPayload | null> => (await db.query<StoredPayload>(PAYLOAD, [deliveryId, withBody]))[0] ?? null

const LOCK: Statement = {
  name: 'lock_delivery',
  access: 'write',
  text: `select ${DELIVERY_COLUMNS} from deliveries where delivery_id = $1 for update`,
}

/** The delivery as it is now, locked until the transaction ends. */
export const lockDelivery = async (tx: Tx, deliveryId: string): Promise<StoredDelivery | null> =>
  (await tx.query<StoredDelivery>(LOCK, [deliveryId]))[0] ?? null

const LIST: Statement = {
  name: 'list_deliveries',
  access: 'read',
  text: `select ${DELIVERY_COLUMNS} from deliveries
    where ($1::text is null or app_id = $1) and ($2::text is null or callback_id = $2)
      and ($3::text is null or state = $3) and ($4::text is null or delivery_id < $4)
    order by delivery_id desc limit $5`,
}

export interface DeliveryFilter {
  readonly appId: string | null
  readonly callbackId: string | null
  readonly state: CallbackDeliveryState | null
}

/**
 * Deliveries that came before the delivery `before`, newest first. Planned for its parameters: failed ones are few and
 * have their own index.
 */
export const listDeliveries = (
  db: Db,
  { appId, callbackId, state }: DeliveryFilter,
  before: string | null,
  limit: number,
): Promise<StoredDelivery[]> => queryByOwnPlan<StoredDelivery>(db, LIST, [appId, callbackId, state, before, limit])

/** One attempt of a delivery. `latencyMs` is null if the process died during the attempt. */
export interface StoredAttempt {
  readonly attempt: number
  readonly startedAt: Date
  readonly latencyMs: number | null
  readonly status: number | null
  readonly error: string | null
  readonly excerpt: string | null
}

const ATTEMPTS: Statement = {
  name: 'list_attempts',
  access: 'read',
  text: `select attempt, started_at as "startedAt", latency_ms as "latencyMs", status, error, excerpt
    from delivery_attempts where app_id = $1 and delivery_id = $2 order by attempt desc limit 100`,
}

/** The latest 100 attempts, newest first. A window has at most 8 attempts. */
export const listAttempts = (
  db: Queryable,
  { appId, deliveryId }: Pick<StoredDelivery, 'appId' | 'deliveryId'>,
): Promise<StoredAttempt[]> => db.query<StoredAttempt>(ATTEMPTS, [appId, deliveryId])

const REOPEN: Statement = {
  name: 'reopen_delivery',
  access: 'write',
  text: `update deliveries d set state = 'pending', attempts = 0, next_attempt_at = $3, expires_at = $4, updated_at = $3,
      callback_revision = k.revision
    from callbacks k
    where d.app_id = $1 and d.delivery_id = $2 and k.app_id = d.app_id and k.callback_id = d.callback_id`,
}

/** Opens a fresh window for a delivery that the transaction has locked. */
export const reopenDelivery = async (
  tx: Tx,
  { appId, deliveryId }: Pick<StoredDelivery, 'appId' | 'deliveryId'>,
  now: Date,
  expiresAt: Date,
): Promise<void> => {
  await tx.query(REOPEN, [appId, deliveryId, now, expiresAt])
}
