import type { Db, Statement } from '../db.ts'
import { queryByOwnPlan } from '../maintenance/own-plan.ts'

/** Runs of one application, or of one of its services, that were admitted on one day, by state. */
export interface StoredUsage {
  readonly appId: string
  /** In UTC, as `2026-03-02`. */
  readonly day: string
  readonly admitted: number
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly interrupted: number
  readonly expired: number
  /** Null if not grouped by service. */
  readonly endpointId: string | null
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costs: { readonly amount: string; readonly currency: string }[]
}

const DAY = `to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD')`

const READ: Statement = {
  name: 'read_usage',
  access: 'read',
  text: `
select a.app_id as "appId", days.*, coalesce((
    select json_agg(json_build_object('currency', c.currency, 'amount', c.amount) order by c.currency) from (
      select r.usage->'cost'->>'currency' as currency, sum((r.usage->'cost'->>'amount')::numeric)::text as amount
      from runs r where r.app_id = a.app_id and r.run_id >= $2 and r.run_id < $3 and r.usage->'cost' is not null
        and ${DAY} = days.day and (not $4::boolean or r.endpoint_id = days."endpointId")
      group by 1 order by 1 limit 100
    ) c), '[]') as costs
from apps a cross join lateral (
  select ${DAY} as day, case when $4::boolean then r.endpoint_id end as "endpointId", count(*) as admitted,
    coalesce(sum((r.usage->>'input_tokens')::bigint), 0)::bigint as "inputTokens",
    coalesce(sum((r.usage->>'output_tokens')::bigint), 0)::bigint as "outputTokens",
    count(*) filter (where r.state = 'succeeded') as succeeded, count(*) filter (where r.state = 'failed') as failed,
    count(*) filter (where r.state = 'cancelled') as cancelled,
    count(*) filter (where r.state = 'interrupted') as interrupted,
    count(*) filter (where r.state = 'expired') as expired
  from runs r where r.app_id = a.app_id and r.run_id >= $2 and r.run_id < $3 group by 1, 2
) days
where $1::text is null or a.app_id = $1 order by days.day desc, a.app_id, days."endpointId" limit 10000`,
}

/** The usage of the runs from the ID `fromId` on and before `untilId`, newest day first. */
export const readUsage = (
  db: Db,
  appId: string | null,
  { fromId, untilId, byService }: { readonly fromId: string; readonly untilId: string; readonly byService: boolean },
): Promise<StoredUsage[]> => queryByOwnPlan<StoredUsage>(db, READ, [appId, fromId, untilId, byService])
