import type { Queryable, Statement } from '../db.ts'

/** A device that a worker serves. */
export interface ServedDevice {
  readonly deviceId: string
  /** Whether there are runs to start on it. */
  readonly hasReadyRuns: boolean
}

/**
 * If several workers serve a device, one writes: rows with a fresh heartbeat, and rows locked by another statement, are
 * skipped.
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
 * Records a worker's heartbeat for its devices, and returns these devices.
 * @param beat.deviceIds the devices that the worker serves; null for all devices without remote workers. Disabled
 * devices are not served.
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
