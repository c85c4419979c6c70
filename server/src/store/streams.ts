import type { Queryable, Statement, Tx } from './db.ts'

/** An open event stream as all processes see it. */
export interface StreamRow {
  readonly streamId: string
  readonly appId: string
  readonly subject: string
  readonly deviceId: string
}

/** Which process holds streams, and until when they count unless it renews them. */
export interface StreamLease {
  readonly processId: string
  readonly now: Date
  readonly expiresAt: Date
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
  text: `select pg_advisory_xact_lock(hashtextextended('stream:device:' || $2, 0)),
    pg_advisory_xact_lock(hashtextextended('stream:app:' || $1, 0))`,
}

// A statement of its own after the locks: it sees whatever was committed by those that held them before.
const OPEN: Statement = {
  name: 'open_stream',
  text: `
with counted as (
  select count(*) filter (where device_id = $4) as of_device,
    count(*) filter (where app_id = $1) as of_app,
    count(*) filter (where app_id = $1 and subject = $3) as of_subject
  from streams where expires_at > $6 and (app_id = $1 or device_id = $4)
), verdict as (
  select case
    when of_subject >= coalesce((select subject_stream_limit from apps where app_id = $1), $8::integer) then 'subject'
    when of_app >= coalesce((select stream_limit from apps where app_id = $1), $9::integer) then 'app'
    when of_device >= coalesce((select stream_limit from devices where device_id = $4), $10::integer) then 'device'
  end as reached
  from counted
), opened as (
  insert into streams (app_id, stream_id, subject, device_id, process_id, expires_at)
  select $1, $2, $3, $4, $5, $7 from verdict where reached is null
)
select reached from verdict`,
}

/** Opens a stream, or says which limit is reached. Streams whose lease has run out do not count. */
export const openStream = async (
  tx: Tx,
  stream: StreamRow,
  lease: StreamLease,
  limits: StreamLimits,
): Promise<StreamLimit | null> => {
  await tx.query(LOCK, [stream.appId, stream.deviceId])
  const [verdict] = await tx.query<{ reached: StreamLimit | null }>(OPEN, [
    stream.appId,
    stream.streamId,
    stream.subject,
    stream.deviceId,
    lease.processId,
    lease.now,
    lease.expiresAt,
    limits.perSubject,
    limits.perApp,
    limits.perDevice,
  ])
  return verdict?.reached ?? null
}

// An insert, because the rows may be gone: dropped as lapsed while the process stood still, or, the table being
// unlogged, by a crash of the database.
const RENEW: Statement = {
  name: 'renew_streams',
  text: `
insert into streams (app_id, stream_id, subject, device_id, process_id, expires_at)
select app_id, stream_id, subject, device_id, $2, $3
from json_to_recordset($1::json) as held(app_id text, stream_id text, subject text, device_id text)
on conflict (app_id, stream_id) do update set expires_at = excluded.expires_at`,
}

/** Renews the lease of streams that a process holds. */
export const renewStreams = async (
  db: Queryable,
  streams: readonly StreamRow[],
  { processId, expiresAt }: Omit<StreamLease, 'now'>,
): Promise<void> => {
  await db.query(RENEW, [toJson(streams), processId, expiresAt])
}

const CLOSE: Statement = {
  name: 'close_streams',
  text: `
delete from streams s using json_to_recordset($1::json) as closed(app_id text, stream_id text)
where s.app_id = closed.app_id and s.stream_id = closed.stream_id`,
}

/** Streams that are closed stop counting. */
export const closeStreams = async (db: Queryable, streams: readonly StreamRow[]): Promise<void> => {
  await db.query(CLOSE, [toJson(streams)])
}

// Rows that another process drops or renews at the same time are left to it.
const DROP_LAPSED: Statement = {
  name: 'drop_lapsed_streams',
  text: `
delete from streams where (app_id, stream_id) in (
  select app_id, stream_id from streams where expires_at <= $1 for update skip locked
)`,
}

/** Drops what processes that have died left behind. */
export const dropLapsedStreams = async (db: Queryable, now: Date): Promise<void> => {
  await db.query(DROP_LAPSED, [now])
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
