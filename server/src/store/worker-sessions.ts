import type { RunState } from '@conversation-gateway/openapi/behaviour/run-state'
import type { DeviceState } from './admin/devices.ts'
import type { ClaimedRun } from './claims.ts'
import type { Queryable, Statement } from './db.ts'

/** Sessions of remote workers (D-67). Each is a row of `processes` with its device. */

export interface NewSession {
  readonly sessionId: string
  readonly deviceId: string
  readonly keyId: string
  readonly name: string
  readonly version: string | null
  readonly slots: number
  readonly now: Date
  readonly expiresAt: Date
  /** Maximum sessions of the device. */
  readonly limit: number
}

const OPEN: Statement = {
  name: 'open_session',
  access: 'write',
  text: `
with valid as (
  select 1 from device_keys where key_id = $3 and device_id = $2 and revoked_at is null for share
), opened as (
  insert into processes (process_id, device_ids, worker_device_id, worker_key_id, worker_name, worker_version, run_slots,
    opened_at, beaten_at, expires_at)
  select $1, array[$2::text], $2, $3, $4, $5, $6::integer, $7::timestamptz, $7, $8::timestamptz from valid
  where (select count(*) from processes where worker_device_id = $2 and expires_at > $7) < $9::bigint
  returning 1
)
select exists (select 1 from valid) as "isKeyValid", exists (select 1 from opened) as "isOpen"`,
}

export const openSession = async (
  db: Queryable,
  { sessionId, deviceId, keyId, name, version, slots, now, expiresAt, limit }: NewSession,
): Promise<'open' | 'revoked' | 'limited'> => {
  const params = [sessionId, deviceId, keyId, name, version, slots, now, expiresAt, limit]
  const [row] = await db.query<{ isKeyValid: boolean; isOpen: boolean }>(OPEN, params)
  if (row?.isKeyValid !== true) return 'revoked'
  return row.isOpen ? 'open' : 'limited'
}

const SERVICES: Statement = {
  name: 'services_of_device',
  access: 'read',
  text: `select app_id as "appId", endpoint_id as "endpointId" from endpoints where device_id = $1
    order by app_id, endpoint_id limit 1000`,
}

export const listServices = (
  db: Queryable,
  deviceId: string,
): Promise<{ readonly appId: string; readonly endpointId: string }[]> => db.query(SERVICES, [deviceId])

export interface SessionRef {
  readonly sessionId: string
  readonly deviceId: string
  readonly now: Date
}

// Rows are locked in a fixed order, so that two batches never deadlock.
const BEAT: Statement = {
  name: 'beat_sessions',
  access: 'write',
  text: `
with locked as (
  select p.process_id
  from json_to_recordset($1::json) as w(session_id text, device_id text)
  join processes p on p.process_id = w.session_id and p.worker_device_id = w.device_id
  where p.expires_at > $2 order by p.process_id for update of p
)
update processes p set expires_at = greatest(p.expires_at, $3::timestamptz), beaten_at = $2::timestamptz
from locked, devices d
where p.process_id = locked.process_id and d.device_id = p.worker_device_id
returning p.process_id as "sessionId", d.device_id as "deviceId", d.state`,
}

/**
 * Renews the leases of live sessions. Returns the state of each session's device, in order; null if there is no such
 * session.
 */
export const beatSessions = async (
  db: Queryable,
  named: readonly Omit<SessionRef, 'now'>[],
  { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
): Promise<(DeviceState | null)[]> => {
  const wanted = named.map(({ sessionId, deviceId }) => ({ session_id: sessionId, device_id: deviceId }))
  const rows = await db.query<{ sessionId: string; deviceId: string; state: DeviceState }>(BEAT, [
    JSON.stringify(wanted),
    now,
    expiresAt,
  ])
  const bySession = new Map(rows.map((row) => [row.sessionId, row]))
  return named.map(({ sessionId, deviceId }) => {
    const row = bySession.get(sessionId)
    return row?.deviceId === deviceId ? row.state : null
  })
}

const FIND: Statement = {
  name: 'find_session',
  access: 'read',
  text: `select p.run_slots as slots, (select count(*) from runs r where r.lease_owner = p.process_id
      and r.state in ('running', 'cancelling', 'reconciling')) as executing
    from processes p where p.process_id = $1 and p.worker_device_id = $2 and p.expires_at > $3`,
}

export interface SessionSlots {
  readonly slots: number
  /** Number of occupied slots. */
  readonly executing: number
}

/** A session that has not lapsed. */
export const findSession = async (
  db: Queryable,
  { sessionId, deviceId, now }: SessionRef,
): Promise<SessionSlots | null> => (await db.query<SessionSlots>(FIND, [sessionId, deviceId, now]))[0] ?? null

const CLOSE: Statement = {
  name: 'close_session',
  access: 'write',
  text: 'delete from processes where process_id = $1 and worker_device_id = $2 returning process_id',
}

/** False if there is no such session. */
export const closeSession = async (
  db: Queryable,
  { sessionId, deviceId }: Pick<SessionRef, 'sessionId' | 'deviceId'>,
): Promise<boolean> => (await db.query(CLOSE, [sessionId, deviceId])).length > 0

export interface StoredSession {
  readonly sessionId: string
  readonly deviceId: string
  readonly keyId: string
  readonly name: string
  readonly version: string | null
  readonly slots: number
  readonly runs: number
  readonly openedAt: Date
  readonly beatenAt: Date
}

const LIST: Statement = {
  name: 'list_sessions',
  access: 'read',
  text: `select p.process_id as "sessionId", p.worker_device_id as "deviceId", p.worker_key_id as "keyId",
      p.worker_name as name, p.worker_version as version, p.run_slots as slots, p.opened_at as "openedAt",
      p.beaten_at as "beatenAt", (select count(*) from runs r where r.lease_owner = p.process_id
        and r.state in ('running', 'waiting_approval', 'cancelling', 'reconciling')) as runs
    from processes p where p.worker_device_id = $1 and p.expires_at > $2 and ($3::text is null or p.process_id < $3)
    order by p.process_id desc limit $4`,
}

/** Sessions of the device that have not lapsed, newest first. */
export const listSessions = (
  db: Queryable,
  page: { readonly deviceId: string; readonly now: Date; readonly before: string | null; readonly limit: number },
): Promise<StoredSession[]> => db.query<StoredSession>(LIST, [page.deviceId, page.now, page.before, page.limit])

/** A run that a session holds, with the data that its requests need. */
export interface SessionRun {
  readonly appId: string
  readonly subject: string
  readonly conversationId: string
  readonly runId: string
  readonly deviceId: string
  readonly endpointId: string
  readonly bindingVersion: number
  readonly generation: number
  readonly position: number
  readonly state: RunState
  /** Whether a stop is requested, even one that was not confirmed in its window. */
  readonly stopWanted: boolean
}

const RUN_COLUMNS = `r.app_id as "appId", r.subject, r.conversation_id as "conversationId", r.run_id as "runId",
  r.device_id as "deviceId", r.endpoint_id as "endpointId", r.binding_version as "bindingVersion", r.generation, r.position, r.state,
  r.state = 'cancelling' or coalesce(r.reconcile_cause = 'stop_unconfirmed', false) as "stopWanted"`

const FIND_RUNS: Statement = {
  name: 'find_session_runs',
  access: 'read',
  text: `select w.place, r.*
    from json_to_recordset($1::json) as w(place integer, session_id text, device_id text, run_id text)
    cross join lateral (
      select ${RUN_COLUMNS}
      from runs r join processes p on p.process_id = r.lease_owner and p.worker_device_id = w.device_id and p.expires_at > $2
      where r.lease_owner = w.session_id and r.run_id = w.run_id
        and r.state in ('running', 'waiting_approval', 'cancelling', 'reconciling')
      offset 0
    ) r`,
}

/** A run, and the session of a device that refers to it. */
export interface SessionRunRef {
  readonly sessionId: string
  readonly deviceId: string
  readonly runId: string
}

/** Returns each named run if it executes and its named session is live and holds it; otherwise null. */
export const findSessionRuns = async (
  db: Queryable,
  named: readonly SessionRunRef[],
  now: Date,
): Promise<(SessionRun | null)[]> => {
  const wanted = named.map(({ sessionId, deviceId, runId }, place) => ({
    place,
    session_id: sessionId,
    device_id: deviceId,
    run_id: runId,
  }))
  const rows = await db.query<SessionRun & { readonly place: number }>(FIND_RUNS, [JSON.stringify(wanted), now])
  const byPlace = new Map(rows.map(({ place, ...run }) => [place, run]))
  return named.map((_, place) => byPlace.get(place) ?? null)
}

const FIND_EXECUTING: Statement = {
  name: 'find_executing_run',
  access: 'read',
  text: `select ${RUN_COLUMNS}
    from runs r where r.app_id = $1 and r.run_id = $2
      and r.state in ('running', 'waiting_approval', 'cancelling', 'reconciling')`,
}

/** An executing run, regardless of its holder. */
export const findExecutingRun = async (
  db: Queryable,
  { appId, runId }: Pick<SessionRun, 'appId' | 'runId'>,
): Promise<SessionRun | null> => (await db.query<SessionRun>(FIND_EXECUTING, [appId, runId]))[0] ?? null

/** The stored state of a run of the device, regardless of its holder. */
export interface RunOfDevice {
  readonly state: RunState
  readonly leaseOwner: string | null
  readonly errorCode: string | null
}

const FIND_OF_DEVICE: Statement = {
  name: 'find_run_of_device',
  access: 'read',
  text: `select r.state, r.lease_owner as "leaseOwner", r.result #>> '{error,code}' as "errorCode"
    from (select distinct app_id from endpoints where device_id = $1) a
    join runs r on r.app_id = a.app_id and r.run_id = $2
    where r.device_id = $1`,
}

export const findRunOfDevice = async (db: Queryable, deviceId: string, runId: string): Promise<RunOfDevice | null> =>
  (await db.query<RunOfDevice>(FIND_OF_DEVICE, [deviceId, runId]))[0] ?? null

const SESSION_RUNS = `select r.app_id as "appId", r.subject, r.conversation_id as "conversationId", r.run_id as "runId",
      r.message_id as "messageId", r.endpoint_id as "endpointId", r.device_id as "deviceId", r.generation,
      r.binding_version as "bindingVersion", r.position, c.last_seq as "lastSeq", v.assistant, r.traceparent,
      coalesce(r.run_until, r.updated_at) as "runUntil", m.text, m.data::text as data, m.resource_ids as "resourceIds"
    from runs r
    join conversations c on c.app_id = r.app_id and c.conversation_id = r.conversation_id
    join messages m on m.app_id = r.app_id and m.conversation_id = r.conversation_id and m.cursor = r.position
    join endpoint_versions v on v.app_id = r.app_id and v.endpoint_id = r.endpoint_id and v.version = r.binding_version
    where r.lease_owner = $1 and r.state in ('running', 'cancelling', 'reconciling')
      and r.run_id not in (select json_array_elements_text($4::json))
    order by r.run_id limit 1000`

const FIND_WITH_RUNS: Statement = {
  name: 'find_session_with_runs',
  access: 'read',
  text: `select s.slots, s.executing, u.*
    from (${FIND.text}) s left join lateral (${SESSION_RUNS}) u on true`,
}

type Undelivered = ClaimedRun | { readonly [Name in keyof ClaimedRun]: null }

/**
 * As `findSession`, with the session's runs that its worker does not know: they were just claimed, or the answer to
 * their claim was lost.
 */
export const findSessionWithRuns = async (
  db: Queryable,
  { sessionId, deviceId, now }: SessionRef,
  delivered: readonly string[],
): Promise<(SessionSlots & { readonly undelivered: readonly ClaimedRun[] }) | null> => {
  const params = [sessionId, deviceId, now, JSON.stringify(delivered)]
  const rows = await db.query<SessionSlots & Undelivered>(FIND_WITH_RUNS, params)
  const [first] = rows
  if (first === undefined) return null
  const undelivered = rows.flatMap(({ slots, executing, ...run }) => (run.runId === null ? [] : [run]))
  return { slots: first.slots, executing: first.executing, undelivered }
}

const LATEST_APPROVAL: Statement = {
  name: 'latest_approval',
  access: 'read',
  text: `select approval_id as "approvalId" from approvals where app_id = $1 and conversation_id = $2 and run_id = $3
    order by created_at desc, approval_id desc limit 1`,
}

/** The run's latest approval. */
export const findLatestApproval = async (
  db: Queryable,
  { appId, conversationId, runId }: Pick<SessionRun, 'appId' | 'conversationId' | 'runId'>,
): Promise<string | null> =>
  (await db.query<{ approvalId: string }>(LATEST_APPROVAL, [appId, conversationId, runId]))[0]?.approvalId ?? null
