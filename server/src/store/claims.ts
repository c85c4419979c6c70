import type { Queryable, Statement, Tx } from './db.ts'
import type { StoredEvent } from './history/events.ts'
import { newIdSql } from './new-id-sql.ts'
import type { ConversationKey } from './runs.ts'
import { conversationList } from './runs.ts'
import { serves } from './serves.ts'

/** A run taken for execution, with what its assistant needs. */
export interface ClaimedRun {
  readonly appId: string
  readonly subject: string
  readonly conversationId: string
  readonly runId: string
  readonly messageId: string
  readonly endpointId: string
  readonly deviceId: string
  readonly generation: number
  readonly bindingVersion: number
  readonly position: number
  readonly lastSeq: number
  /** Its deadline (D-59). */
  readonly runUntil: Date
  readonly assistant: unknown
  readonly text: string | null
  /** The JSON text as it was sent. */
  readonly data: string | null
  readonly resourceIds: readonly string[] | null
  /** The trace context of the request that admitted it; null if none. */
  readonly traceparent: string | null
}

/** A run that a claim has started, and its event. */
export interface StartedRun {
  readonly run: ClaimedRun
  readonly event: StoredEvent
}

/** The payload of the start event. */
const START_PAYLOAD = '{"state":"running"}'

/** Runs that can be started: `ready` ones before their start deadline. */
const READY = `device_id = $1 and state = 'queued' and ready and start_before > $2`
/** Whether several applications have services on a device. */
const isShared = (deviceId: string): string =>
  `(select count(*) from (select distinct app_id from endpoints where device_id = ${deviceId} limit 2) served) > 1`
/** With the collation of the index of queued runs. */
const [APP, RUN] = ['runs.app_id collate "C"', 'runs.run_id collate "C"']
/** How many runs are examined beyond the limit, because concurrent claims may take some. */
const TAKEN_MEANWHILE = 16

/**
 * Gives free slots of a device to queued runs (D-58). `waiting` steps from application to application through an index,
 * and each application offers its oldest runs, so the cost does not grow with the number of queued runs. A run's `load`
 * is the number of slots that its application has when the run is considered. Runs with the lowest load start first,
 * and of those the oldest. On a device that several applications share, one application gets at most three quarters of
 * the slots, so that hanging runs cannot occupy all; they take turns on a single slot.
 *
 * Concurrent claims of several processes give the same result as sequential ones, without waiting. A run that another
 * claim is taking keeps its place in this claim's order and is skipped. No application can exceed its share, because no
 * claim takes a run beyond it.
 *
 * Conversations locked by others are skipped. The locked row is read again after the lock, so
 * `executing_run_id is null` is checked on its current state; the run's own update checks the run again.
 *
 * With the statistics of an empty table, which last up to a minute, the planner may choose any index. So a run is
 * looked up by its full unique key, its state is compared by `not distinct`, which uses no index, and its version is
 * read separately.
 *
 * A claim may wait and be written after a later admission; `greatest` keeps a run's times from going backwards.
 */
const CLAIM: Statement = {
  name: 'claim_runs',
  access: 'write',
  text: `
with recursive slots as (
  select sum(p.run_slots) as total, d.served_app_id,
    ${isShared('$1')} as is_shared
  from devices d join processes p on p.expires_at > $2 and ${serves('p', 'd')}
  where d.device_id = $1 and d.state = 'active'
  group by d.served_app_id having bool_or(p.process_id = $3)
), waiting as (
  (select ${APP} as app_id from runs where ${READY} order by 1 limit 1)
  union all
  select (select ${APP} from runs where ${READY} and ${APP} > w.app_id order by 1 limit 1)
  from waiting w where w.app_id is not null
), due as (
  select oldest.*, executing.runs + oldest.turn as load
  from slots s cross join waiting w
  cross join lateral (
    select count(*) as runs from runs
    where device_id = $1 and ${APP} = w.app_id and state in ('running', 'cancelling', 'reconciling')
      and (state <> 'reconciling' or reconcile_cause = 'stop_unconfirmed')
  ) executing
  cross join lateral (
    select app_id, conversation_id, position, run_id, endpoint_id, binding_version, row_number() over (order by ${RUN}) - 1 as turn
    from runs where ${READY} and ${APP} = w.app_id order by ${RUN} limit $4 + ${TAKEN_MEANWHILE}
  ) oldest
  where w.app_id is not null and case
    when s.total = 1 then w.app_id is distinct from s.served_app_id or (select count(app_id) from waiting) = 1
    when s.is_shared or (select count(app_id) from waiting) > 1 then executing.runs + oldest.turn < s.total * 3 / 4
    else true end
  order by load, oldest.run_id limit $4 + ${TAKEN_MEANWHILE}
), ready as (
  select d.app_id, d.conversation_id, d.position, d.run_id, d.load, v.max_run_seconds, v.assistant
  from due d join conversations c on c.app_id = d.app_id and c.conversation_id = d.conversation_id
  cross join lateral (
    select max_run_seconds, assistant from endpoint_versions
    where app_id = d.app_id and endpoint_id = d.endpoint_id and version = d.binding_version offset 0
  ) v
  where c.executing_run_id is null
  order by d.load, d.run_id limit $4 for update of c skip locked
), taken as (
  update runs r set state = 'running', delivery_state = 'device_received', lease_owner = $3,
    updated_at = greatest(r.updated_at, $2),
    run_until = $2::timestamptz + make_interval(secs => ready.max_run_seconds)
  from ready where r.app_id = ready.app_id and r.conversation_id = ready.conversation_id and r.position = ready.position
    and r.run_id = ready.run_id and r.state is not distinct from 'queued'
  returning r.*, ready.load, ready.assistant
), turn as (
  update devices d set served_app_id = t.app_id from slots s cross join taken t where s.total = 1 and d.device_id = $1
), conversation as (
  update conversations c set executing_run_id = t.run_id, executing_output = null,
    queued_runs = c.queued_runs - 1, last_seq = c.last_seq + 1
  from taken t where c.app_id = t.app_id and c.conversation_id = t.conversation_id
  returning c.app_id, c.conversation_id, c.last_seq
), event as (
  insert into events (app_id, conversation_id, seq, event_id, generation, run_id, message_id, type, payload, created_at)
  select t.app_id, t.conversation_id, c.last_seq,
    ${newIdSql('evt', 't.updated_at')},
    t.generation, t.run_id, t.message_id, 'run.started', '${START_PAYLOAD}', t.updated_at
  from taken t join conversation c on c.app_id = t.app_id and c.conversation_id = t.conversation_id
  returning run_id, event_id, created_at
)
select t.app_id as "appId", t.subject, t.conversation_id as "conversationId", t.run_id as "runId",
  t.message_id as "messageId", t.endpoint_id as "endpointId", t.device_id as "deviceId", t.generation,
  t.binding_version as "bindingVersion", t.position, c.last_seq as "lastSeq", t.run_until as "runUntil", t.assistant, t.traceparent,
  m.text, m.data::text as data, m.resource_ids as "resourceIds", e.event_id as "eventId", e.created_at as "createdAt"
from taken t
join event e on e.run_id = t.run_id
join conversation c on c.app_id = t.app_id and c.conversation_id = t.conversation_id
join messages m on m.app_id = t.app_id and m.conversation_id = t.conversation_id and m.cursor = t.position
order by t.load, t.run_id`,
}

/** Whether and where an admitted run may start at once. */
export interface Start extends ConversationKey {
  /** Maximum unfinished runs on its device, over all applications, at which no application can exceed its share. */
  readonly share: number
  /** The given processes that serve its device. */
  readonly workerIds: readonly string[]
  readonly assistant: unknown
  readonly maxRunSeconds: number
}

const STARTS: Statement = {
  name: 'read_starts',
  access: 'read',
  text: `
with idle as (
  select c.app_id, c.conversation_id, c.endpoint_id, c.device_id, c.binding_version
  from json_to_recordset($1::json) as n(app_id text, conversation_id text)
  cross join lateral (
    select * from conversations where app_id = n.app_id and conversation_id = n.conversation_id
      and queued_runs = 0 and executing_run_id is null offset 0
  ) c
), served as (
  select d.device_id, (sum(p.run_slots) * case when sum(p.run_slots) = 1 or ${isShared('d.device_id')} then 0.75 else 1 end)::double precision as share,
    array_agg(a.worker_id) filter (where a.worker_id is not null) as worker_ids
  from (select device_id, has_workers from devices where device_id in (select device_id from idle)) d
  join processes p on p.expires_at > $2 and ${serves('p', 'd')}
  left join (select json_array_elements_text($3::json) as worker_id) a on a.worker_id = p.process_id
  where not exists (select 1 from runs r where r.device_id = d.device_id and r.state = 'queued' and r.ready)
  group by d.device_id having count(a.worker_id) > 0
)
select i.app_id as "appId", i.conversation_id as "conversationId", s.share, s.worker_ids as "workerIds", v.assistant,
  v.max_run_seconds as "maxRunSeconds"
from idle i
join served s on s.device_id = i.device_id
join endpoint_versions v on v.app_id = i.app_id and v.endpoint_id = i.endpoint_id and v.version = i.binding_version`,
}

/**
 * The locked conversations without unfinished work whose devices are served by one of the workers and have no run
 * waiting for a slot.
 */
export const readStarts = (
  tx: Tx,
  conversations: readonly ConversationKey[],
  { now, workerIds }: { readonly now: Date; readonly workerIds: readonly string[] },
): Promise<Start[]> => tx.query<Start>(STARTS, [conversationList(conversations), now, JSON.stringify(workerIds)])

/** Takes at most `limit` runs for a live process or session, in fair order. */
export const claimRuns = async (
  db: Queryable,
  claim: {
    readonly deviceId: string
    readonly workerId: string
    readonly now: Date
    readonly limit: number
  },
): Promise<StartedRun[]> => {
  const params = [claim.deviceId, claim.now, claim.workerId, claim.limit]
  const rows = await db.query<ClaimedRun & Pick<StoredEvent, 'eventId' | 'createdAt'>>(CLAIM, params)
  return rows.map(({ eventId, createdAt, ...run }) => {
    const { generation, runId, messageId, lastSeq: seq } = run
    const event = { seq, eventId, generation, runId, messageId, type: 'run.started', payload: START_PAYLOAD, createdAt }
    return { run, event }
  })
}
