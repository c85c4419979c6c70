import type { CallbackDeliveryState } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import type { RunState } from '@conversation-gateway/openapi/behaviour/run-state'
import type { Queryable, Statement } from '../db.ts'

/** The load of the whole gateway at one moment, for its gauges. */
export interface Statistics {
  /** Unfinished runs; states without any are left out. */
  readonly runsByState: Readonly<Partial<Record<RunState, number>>>
  /** When the run that waits longest was admitted; null when none waits. */
  readonly oldestQueuedAt: Date | null
  readonly openStreams: number
  /** Open streams by application, for the applications with the most. */
  readonly openStreamsByApp: Readonly<Record<string, number>>
  /** Workers that reach the gateway over HTTP and are connected. */
  readonly workers: number
  /** Deliveries of callbacks that have not reached their receiver; states without any are left out. */
  readonly deliveriesByState: Readonly<Partial<Record<CallbackDeliveryState, number>>>
  readonly admissionPaused: boolean
}

/** Maximum applications with their own series in metrics. */
const APPS_SHOWN = 20

// Separate selects, because each uses a partial index.
const READ: Statement = {
  name: 'read_statistics',
  access: 'read',
  text: `
with unfinished as (
  select state, count(*) as runs, min(created_at) as oldest from runs where state = 'queued' group by state
  union all
  select state, count(*), null from runs
  where state in ('running', 'waiting_approval', 'cancelling', 'reconciling') group by state
), undelivered as (
  select state, count(*) as deliveries from deliveries where state = 'pending' group by state
  union all
  select state, count(*) from deliveries where state = 'sending' group by state
  union all
  select state, count(*) from deliveries
  where state in ('needs_action', 'expired', 'cancelled_config_changed') group by state
), open_streams as (
  select s.app_id, count(*) as streams from streams s join processes p on p.process_id = s.process_id
  where p.expires_at > $1 group by s.app_id
)
select (select coalesce(json_object_agg(state, runs), '{}') from unfinished) as "runsByState",
  (select min(oldest) from unfinished) as "oldestQueuedAt",
  (select coalesce(sum(streams), 0) from open_streams) as "openStreams",
  (select coalesce(json_object_agg(app_id, streams), '{}') from (
    select app_id, streams from open_streams order by streams desc, app_id limit $2) busiest) as "openStreamsByApp",
  (select count(*) from processes where worker_device_id is not null and expires_at > $1) as "workers",
  (select coalesce(json_object_agg(state, deliveries), '{}') from undelivered) as "deliveriesByState",
  (select admission_paused from gateway) as "admissionPaused"`,
}

export const readStatistics = async (db: Queryable, now: Date): Promise<Statistics> =>
  (await db.query<Statistics>(READ, [now, APPS_SHOWN]))[0] ?? {
    runsByState: {},
    oldestQueuedAt: null,
    openStreams: 0,
    openStreamsByApp: {},
    workers: 0,
    deliveriesByState: {},
    admissionPaused: false,
  }
