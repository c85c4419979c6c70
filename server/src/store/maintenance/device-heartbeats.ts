import type { Queryable, Statement } from '../db.ts'

/** A device that a worker serves. */
export interface ServedDevice {
  readonly deviceId: string
  /** Whether there are runs to start on it. */
  readonly hasReadyRuns: boolean
}

/**
 * Of several workers that serve a device one writes: rows with a fresh enough heartbeat, and rows that another
 * statement has locked, are left alone, so that workers neither repeat each other nor wait for each other.
 */
const BEAT: Statement = {
  name: 'beat_devices',
  access: 'write',
  text: `
with served as (
  select device_id, heartbeat_at from devices
  where state <> 'disabled' and case when $2::json is null then not has_workers
    else device_id in (select json_array_elements_text($2::json)) end
), stale as (
  select d.device_id from devices d
  join served s on s.device_id = d.device_id
  where s.heartbeat_at is null or s.heartbeat_at <= $3
  order by d.device_id for update of d skip locked
), beaten as (
  update devices d set heartbeat_at = $1 from stale s
  where d.device_id = s.device_id and (d.heartbeat_at is null or d.heartbeat_at < $1)
)
select s.device_id as "deviceId",
  exists (select 1 from runs r where r.device_id = s.device_id and r.state = 'queued' and r.ready) as "hasReadyRuns"
from served s order by s.device_id`,
}

/**
 * Says that a worker is there for its devices, and which devices these are.
 * @param beat.deviceIds the devices that the worker is limited to; null for all that have no workers elsewhere. Disabled devices are not served.
 * @param beat.staleBefore a heartbeat that is not later than this is renewed.
 */
export const beatDevices = (
  db: Queryable,
  beat: { readonly deviceIds: readonly string[] | null; readonly now: Date; readonly staleBefore: Date },
): Promise<ServedDevice[]> =>
  db.query<ServedDevice>(BEAT, [
    beat.now,
    beat.deviceIds === null ? null : JSON.stringify(beat.deviceIds),
    beat.staleBefore,
  ])
