import type { Queryable, Statement, Tx } from './db.ts'

/** The shared record of an open event stream. */
export interface StreamRow {
  readonly streamId: string
  readonly appId: string
  readonly subject: string
  readonly deviceId: string
}

/** Default limits of open streams (D-31). */
export interface StreamLimits {
  readonly perDevice: number
  readonly perApp: number
  readonly perSubject: number
}

/** The limit that is reached. */
export type StreamLimit = 'device' | 'app' | 'subject'

// Always takes the locks in this order, so that two openings never deadlock.
const LOCK: Statement = {
  name: 'lock_stream_limits',
  access: 'write',
  text: `select pg_advisory_xact_lock(hashtextextended('stream:device:' || $2, 0)),
    pg_advisory_xact_lock(hashtextextended('stream:app:' || $1, 0))`,
}

// A separate statement after the locks, so that it sees commits of the previous lock holders.
const OPEN: Statement = {
  name: 'open_stream',
  access: 'write',
  text: `
with counted as (
  select count(*) filter (where device_id = $4) as of_device,
    count(*) filter (where app_id = $1) as of_app,
    count(*) filter (where app_id = $1 and subject = $3) as of_subject
  from streams s where (app_id = $1 or device_id = $4)
    and (process_id = $5 or exists (select 1 from processes p where p.process_id = s.process_id and p.expires_at > $6))
), verdict as (
  select case
    when of_subject >= coalesce((select subject_stream_limit from apps where app_id = $1), $7::integer) then 'subject'
    when of_app >= coalesce((select stream_limit from apps where app_id = $1), $8::integer) then 'app'
    when of_device >= coalesce((select stream_limit from devices where device_id = $4), $9::integer) then 'device'
  end as reached
  from counted
), opened as (
  insert into streams (app_id, stream_id, subject, device_id, process_id)
  select $1, $2, $3, $4, $5 from verdict where reached is null
)
select reached from verdict`,
}

/** Opens a stream in a process, or returns the limit that is reached. Streams of dead processes do not count. */
export const openStream = async (
  tx: Tx,
  stream: StreamRow & { readonly processId: string },
  now: Date,
  limits: StreamLimits,
): Promise<StreamLimit | null> => {
  await tx.query(LOCK, [stream.appId, stream.deviceId])
  const [verdict] = await tx.query<{ reached: StreamLimit | null }>(OPEN, [
    stream.appId,
    stream.streamId,
    stream.subject,
    stream.deviceId,
    stream.processId,
    now,
    limits.perSubject,
    limits.perApp,
    limits.perDevice,
  ])
  return verdict?.reached ?? null
}

const RESTORE: Statement = {
  name: 'restore_streams',
  access: 'write',
  text: `
insert into streams (app_id, stream_id, subject, device_id, process_id)
select app_id, stream_id, subject, device_id, $2
from json_to_recordset($1::json) as held(app_id text, stream_id text, subject text, device_id text)
on conflict (app_id, stream_id) do nothing`,
}

/**
 * Restores missing rows of a process's streams: removed while the process was paused, or lost in a database crash,
 * because the table is unlogged.
 */
export const restoreStreams = async (
  db: Queryable,
  streams: readonly StreamRow[],
  processId: string,
): Promise<void> => {
  await db.query(RESTORE, [toJson(streams), processId])
}

const CLOSE: Statement = {
  name: 'close_streams',
  access: 'write',
  text: `
delete from streams s using json_to_recordset($1::json) as closed(app_id text, stream_id text)
where s.app_id = closed.app_id and s.stream_id = closed.stream_id`,
}

/** Removes closed streams. */
export const closeStreams = async (db: Queryable, streams: readonly StreamRow[]): Promise<void> => {
  await db.query(CLOSE, [toJson(streams)])
}

// Rows that another process is removing are skipped.
const DROP_LOST: Statement = {
  name: 'drop_lost_streams',
  access: 'write',
  text: `
delete from streams where (app_id, stream_id) in (
  select app_id, stream_id from streams s
  where not exists (select 1 from processes p where p.process_id = s.process_id and p.expires_at > $1)
  for update skip locked
)`,
}

/** Removes streams of dead processes. */
export const dropLostStreams = async (db: Queryable, now: Date): Promise<void> => {
  await db.query(DROP_LOST, [now])
}

const toJson = (streams: readonly StreamRow[]): string =>
  JSON.stringify(
    streams.map(({ streamId, appId, subject, deviceId }) => ({
      stream_id: streamId,
      app_id: appId,
      subject,
      device_id: deviceId,
    })),
  )
