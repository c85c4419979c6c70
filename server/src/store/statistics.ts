import type { RunState } from '../domain/run-state.ts'
import type { Queryable, Statement } from './db.ts'

/** The load of the whole gateway at one moment, for its gauges. */
export interface Statistics {
  /** Unfinished runs; states without any are left out. */
  readonly runsByState: Readonly<Partial<Record<RunState, number>>>
  /** When the run that waits longest was admitted; null when none waits. */
  readonly oldestQueuedAt: Date | null
  readonly openStreams: number
}

// Two selects, because each has a partial index of its own to count from.
const READ: Statement = {
  name: 'read_statistics',
  text: `
with unfinished as (
  select state, count(*) as runs, min(created_at) as oldest from runs where state = 'queued' group by state
  union all
  select state, count(*), null from runs
  where state in ('running', 'waiting_approval', 'cancelling', 'reconciling') group by state
)
select (select coalesce(json_object_agg(state, runs), '{}') from unfinished) as "runsByState",
  (select min(oldest) from unfinished) as "oldestQueuedAt",
  (select count(*) from streams where expires_at > $1) as "openStreams"`,
}

export const readStatistics = async (db: Queryable, now: Date): Promise<Statistics> =>
  (await db.query<Statistics>(READ, [now]))[0] ?? { runsByState: {}, oldestQueuedAt: null, openStreams: 0 }
