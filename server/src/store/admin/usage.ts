import type { Db, Statement } from '../db.ts'
import { queryByOwnPlan } from '../maintenance/own-plan.ts'

/** Runs of one application that were admitted on one day, by what became of them. */
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
}

const READ: Statement = {
  name: 'read_usage',
  text: `
select a.app_id as "appId", days.* from apps a cross join lateral (
  select to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as admitted,
    count(*) filter (where r.state = 'succeeded') as succeeded, count(*) filter (where r.state = 'failed') as failed,
    count(*) filter (where r.state = 'cancelled') as cancelled,
    count(*) filter (where r.state = 'interrupted') as interrupted,
    count(*) filter (where r.state = 'expired') as expired
  from runs r where r.app_id = a.app_id and r.run_id >= $2 and r.run_id < $3 group by 1
) days
where $1::text is null or a.app_id = $1 order by days.day desc, a.app_id limit 10000`,
}

/** Newest day first, of runs from one ID on and before another. */
export const readUsage = (db: Db, appId: string | null, fromId: string, untilId: string): Promise<StoredUsage[]> =>
  queryByOwnPlan<StoredUsage>(db, READ, [appId, fromId, untilId])
