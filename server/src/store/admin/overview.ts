import type { TerminalState } from '@conversation-gateway/openapi/behaviour/run-state'
import type { Queryable, Statement } from '../db.ts'
import { serves } from '../serves.ts'
import type { StoredDevice } from './devices.ts'

/** Work of the whole gateway that the gauges do not show. */
export interface WorkOverview {
  /** Runs that ended since a given time; states without any are left out. */
  readonly ended: Readonly<Partial<Record<TerminalState, number>>>
  /** Runs that were admitted since then. */
  readonly admitted: number
  readonly approvalsPending: number
}

const READ: Statement = {
  name: 'read_work_overview',
  access: 'read',
  text: `
select (select coalesce(json_object_agg(state, runs), '{}') from (
    select state, count(*) as runs from runs where finished_at >= $1 group by state) ended) as ended,
  (select coalesce(sum(admitted), 0) from apps a cross join lateral (
    select count(*) as admitted from runs r where r.app_id = a.app_id and r.run_id >= $2) recent) as admitted,
  (select count(*) from approvals where state = 'pending') as "approvalsPending"`,
}

/** @param firstId The lowest ID that a run admitted at `since` can have. */
export const readWorkOverview = async (db: Queryable, since: Date, firstId: string): Promise<WorkOverview> =>
  (await db.query<WorkOverview>(READ, [since, firstId]))[0] ?? {
    ended: {},
    admitted: 0,
    approvalsPending: 0,
  }

/** A device with its work, and the slots of the processes that serve it. */
export type DeviceLoad = Pick<StoredDevice, 'deviceId' | 'name' | 'state' | 'heartbeatAt'> & {
  readonly queued: number
  readonly executing: number
  readonly waitingApproval: number
  readonly runSlots: number
}

const LOADS: Statement = {
  name: 'read_device_loads',
  access: 'read',
  text: `
with unfinished as (
  select device_id, count(*) as queued, 0 as executing, 0 as waiting from runs where state = 'queued' group by device_id
  union all
  select device_id, 0, count(*) filter (where state <> 'waiting_approval'),
    count(*) filter (where state = 'waiting_approval')
  from runs where state in ('running', 'waiting_approval', 'cancelling', 'reconciling') group by device_id
)
select d.device_id as "deviceId", d.name, d.state, d.heartbeat_at as "heartbeatAt",
  coalesce(sum(u.queued), 0) as queued, coalesce(sum(u.executing), 0) as executing,
  coalesce(sum(u.waiting), 0) as "waitingApproval",
  (select coalesce(sum(p.run_slots), 0) from processes p
    where p.expires_at > $1 and ${serves('p', 'd')}) as "runSlots"
from devices d left join unfinished u on u.device_id = d.device_id
group by d.device_id, d.name, d.state, d.heartbeat_at order by d.device_id limit $2`,
}

export const readDeviceLoads = (db: Queryable, now: Date, limit: number): Promise<DeviceLoad[]> =>
  db.query<DeviceLoad>(LOADS, [now, limit])
