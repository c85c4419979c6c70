import type { Queryable, Statement } from '../db.ts'

/** The capacity of a process for runs of devices. */
export interface ProcessService {
  /** Runs that it executes at once for each device that it serves; 0 where it serves none. */
  readonly runSlots: number
  /** The devices that it serves; null for all without remote workers. */
  readonly deviceIds: readonly string[] | null
}

const BEAT: Statement = {
  name: 'beat_process',
  access: 'write',
  text: `
insert into processes (process_id, expires_at, run_slots, device_ids)
values ($1, $2, $3, case when $4::json is not null then array(select json_array_elements_text($4::json)) end)
on conflict (process_id) do update set expires_at = excluded.expires_at, run_slots = excluded.run_slots,
  device_ids = excluded.device_ids`,
}

/** Records a process's heartbeat and the end of its lease. */
export const beatProcess = async (
  db: Queryable,
  process: ProcessService & { readonly processId: string; readonly expiresAt: Date },
): Promise<void> => {
  const { processId, expiresAt, runSlots, deviceIds } = process
  await db.query(BEAT, [processId, expiresAt, runSlots, deviceIds === null ? null : JSON.stringify(deviceIds)])
}

const REMOVE: Statement = {
  name: 'remove_process',
  access: 'write',
  text: 'delete from processes where process_id = $1',
}

/** Releases everything that a process held. */
export const removeProcess = async (db: Queryable, processId: string): Promise<void> => {
  await db.query(REMOVE, [processId])
}

// Remote workers outlive the gateway.
const REMOVE_ALL: Statement = {
  name: 'remove_all_processes',
  access: 'write',
  text: 'delete from processes where worker_device_id is null',
}

/** The same for all processes of the gateway. Call it only when no other process can be running. */
export const removeAllProcesses = async (db: Queryable): Promise<void> => {
  await db.query(REMOVE_ALL, [])
}

// Rows that another process is removing are skipped. A process that resumes writes its row again.
const REMOVE_GONE: Statement = {
  name: 'remove_gone_processes',
  access: 'write',
  text: `
delete from processes where process_id in (
  select process_id from processes where expires_at <= $1 for update skip locked
)`,
}

/** Removes processes whose lease ended at a given time or before. */
export const removeGoneProcesses = async (db: Queryable, before: Date): Promise<void> => {
  await db.query(REMOVE_GONE, [before])
}
