import type { Queryable, Statement, Tx } from './db.ts'

/** An open event stream as all processes see it. */
export interface StreamRow {
  readonly streamId: string
  readonly appId: string
  readonly subject: string
  readonly deviceId: string
}

/** Streams open at once, where the application or the device has no limit of its own (D-31). */
export interface StreamLimits {
  readonly perDevice: number
  readonly perApp: number
  readonly perSubject: number
}

/** Whose limit is reached. */
export type StreamLimit = 'device' | 'app' | 'subject'

// In this order always, so that two openings never wait for each other.
const LOCK: Statement = {
  name: 'lock_stream_limits',
  access: 'write',
  text: `select pg_advisory_xact_lock(hashtextextended('stream:device:' || $2, 0)),
    pg_advisory_xact_lock(hashtextextended('stream:app:' || $1, 0))`,
}

// A statement of its own after the locks: it sees whatever was committed by those that held them before.
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

/** Opens a stream in a process, or says which limit is reached. Streams of processes that are gone do not count. */
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
 * Writes down anew what a process holds, where that is gone: swept while the process stood still, or, the table being
 * unlogged, lost in a crash of the database.
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

/** Streams that are closed stop counting. */
export const closeStreams = async (db: Queryable, streams: readonly StreamRow[]): Promise<void> => {
  await db.query(CLOSE, [toJson(streams)])
}

// Rows that another process drops at the same time are left to it.
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

/** Drops what processes that are gone left behind. */
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
