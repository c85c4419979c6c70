import type { Db, Statement } from '../db.ts'
import { queryByOwnPlan } from '../maintenance/own-plan.ts'

export interface RetryStep {
  readonly appId: string | null
  readonly callbackId: string | null
  readonly state: string | null
  /** Deliveries with this ID and later ones. */
  readonly fromId: string | null
  /** Deliveries before this ID. */
  readonly untilId: string | null
  readonly dryRun: boolean
  readonly now: Date
  readonly expiresAt: Date
  readonly rows: number
}

/** The result of a step: how many can be retried, and how many cannot, by reason. */
export interface RetryFindings {
  readonly found: number
  readonly retryable: number
  readonly disabled: number
  readonly changed: number
  readonly gone: number
  readonly lastId: string | null
  readonly lastCreatedAt: Date | null
}

// Rows locked by others are skipped.
const RETRY: Statement = {
  name: 'retry_deliveries',
  access: 'write',
  text: `
with found as (
  select d.app_id, d.callback_id, d.event_id, d.delivery_id, d.created_at, k.revision,
    case when not k.enabled then 'disabled' when k.version <> d.callback_version then 'changed'
      when d.body is null then 'gone' end as obstacle
  from deliveries d join callbacks k on k.app_id = d.app_id and k.callback_id = d.callback_id
  where d.state in ('needs_action', 'expired') and ($1::text is null or d.app_id = $1)
    and ($2::text is null or d.callback_id = $2) and ($3::text is null or d.state = $3)
    and ($4::text is null or d.delivery_id >= $4) and ($5::text is null or d.delivery_id < $5)
  order by d.delivery_id limit $9 for update of d skip locked
), reopened as (
  update deliveries d set state = 'pending', attempts = 0, next_attempt_at = $7, expires_at = $8, updated_at = $7,
    callback_revision = f.revision
  from found f
  where not $6::boolean and f.obstacle is null and d.app_id = f.app_id and d.callback_id = f.callback_id
    and d.event_id = f.event_id
)
select count(*) as found, count(*) filter (where obstacle is null) as retryable,
  count(*) filter (where obstacle = 'disabled') as disabled, count(*) filter (where obstacle = 'changed') as changed,
  count(*) filter (where obstacle = 'gone') as gone, max(delivery_id) as "lastId", max(created_at) as "lastCreatedAt"
from found`,
}

/** Opens fresh windows, as `reopenDelivery` does, for the next failed deliveries; a dry run only counts them. */
export const retryNextDeliveries = async (db: Db, step: RetryStep): Promise<RetryFindings> => {
  const { appId, callbackId, state, fromId, untilId, dryRun, now, expiresAt, rows } = step
  const params = [appId, callbackId, state, fromId, untilId, dryRun, now, expiresAt, rows]
  const [findings] = await queryByOwnPlan<RetryFindings>(db, RETRY, params)
  if (findings === undefined) throw new Error('an aggregate always returns one row')
  return findings
}
