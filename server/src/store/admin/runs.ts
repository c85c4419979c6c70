import type { RunError, RunUsage } from '@conversation-gateway/openapi/behaviour/conversation-changes'
import type { DeliveryState, RunState } from '@conversation-gateway/openapi/behaviour/run-state'
import { isExecuting, isTerminal } from '@conversation-gateway/openapi/behaviour/run-state'
import type { Db, Param, Queryable, Statement } from '../db.ts'
import { queryByOwnPlan } from '../maintenance/own-plan.ts'

/** A run of any application, without its text. */
export interface ObservedRun {
  readonly appId: string
  readonly runId: string
  readonly subject: string
  readonly conversationId: string
  readonly generation: number
  readonly endpointId: string
  readonly deviceId: string
  readonly bindingVersion: number
  readonly messageId: string
  readonly state: RunState
  readonly deliveryState: DeliveryState
  readonly error: RunError | null
  readonly usage: RunUsage | null
  /** The process that executes it or has lost it; null if there is none, or the run has ended. */
  readonly leaseOwner: string | null
  /** The end of the run's own lease, or else of its process's lease; null if there is neither, or the run has ended. */
  readonly leaseUntil: Date | null
  /** Null if the request that admitted it had no trace. */
  readonly traceId: string | null
  readonly startBefore: Date
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly finishedAt: Date | null
  /** The cursor of its input, and the seq of its first event. */
  readonly position: number
  readonly admittedSeq: number
}

const SELECT = `
select r.app_id as "appId", r.run_id as "runId", r.subject, r.conversation_id as "conversationId", r.generation,
  r.endpoint_id as "endpointId", r.device_id as "deviceId", r.binding_version as "bindingVersion",
  r.message_id as "messageId", r.state, r.delivery_state as "deliveryState", r.result -> 'error' as error, r.result -> 'usage' as usage,
  case when r.finished_at is null then r.lease_owner end as "leaseOwner",
  case when r.finished_at is null then coalesce(r.lease_expires_at, p.expires_at) end as "leaseUntil",
  substr(r.traceparent, 4, 32) as "traceId", r.start_before as "startBefore", r.created_at as "createdAt", r.updated_at as "updatedAt",
  r.finished_at as "finishedAt", r.position, r.admitted_seq as "admittedSeq"`
const WITH_PROCESS = 'left join processes p on p.process_id = r.lease_owner'

// Joins the applications, of which there are few, because the primary key begins with the application's ID.
const FIND: Statement = {
  name: 'find_observed_run',
  access: 'read',
  text: `${SELECT} from apps a join runs r on r.app_id = a.app_id and r.run_id = $1 ${WITH_PROCESS}`,
}

export const findObservedRun = async (db: Queryable, runId: string): Promise<ObservedRun | null> =>
  (await db.query<ObservedRun>(FIND, [runId]))[0] ?? null

export interface RunFilter {
  readonly appId: string | null
  /** Only together with `appId`. */
  readonly subject: string | null
  readonly conversationId: string | null
  readonly endpointId: string | null
  readonly deviceId: string | null
  readonly state: RunState | null
  readonly errorCode: string | null
  /** Runs with this ID and later ones; null for all. */
  readonly fromId: string | null
  /** Runs before this ID; null for all. */
  readonly beforeId: string | null
}

const FILTER = `($1::text is null or r.app_id = $1) and ($2::text is null or r.conversation_id = $2)
      and ($3::text is null or r.endpoint_id = $3) and ($4::text is null or r.device_id = $4)
      and ($5::text is null or r.state = $5)
      and ($6::text is null or (r.state = 'failed' and r.result #>> '{error,code}' = $6))
      and ($7::text is null or r.run_id >= $7) and ($8::text is null or r.run_id < $8)`
const NEWEST = 'order by r.run_id desc limit $9'

/** The parts of the search, each with its own indexes: queued, executing and ended runs. */
const QUEUED = `(select r.* from runs r where r.state = 'queued' and ${FILTER} ${NEWEST})`
const EXECUTING = `(select r.* from runs r
    where r.state in ('running', 'waiting_approval', 'cancelling', 'reconciling') and ${FILTER} ${NEWEST})`
const ENDED = `(select ended.* from apps a cross join lateral (
      select r.* from runs r
      where r.app_id = a.app_id and r.state in ('succeeded', 'failed', 'cancelled', 'interrupted', 'expired')
      and ${FILTER} ${NEWEST}) ended
    where $1::text is null or a.app_id = $1)`
// Joins the devices, of which there are few, because conversations are indexed by device.
const OF_SUBJECT = `(select r.* from devices d
    join conversations c on c.device_id = d.device_id and c.app_id = $1 and c.subject = $10
    join runs r on r.app_id = c.app_id and r.conversation_id = c.conversation_id where ${FILTER} ${NEWEST})`

const list = (name: string, ...sources: readonly string[]): Statement => ({
  name,
  access: 'read',
  text: `with page as (select * from (${sources.join('\n  union all ')}) r ${NEWEST})
${SELECT} from page r ${WITH_PROCESS} order by r.run_id desc`,
})

const LIST = list('list_observed_runs', QUEUED, EXECUTING, ENDED)
const LIST_QUEUED = list('list_queued_runs', QUEUED)
const LIST_EXECUTING = list('list_executing_runs', EXECUTING)
const LIST_ENDED = list('list_ended_runs', ENDED)
const LIST_OF_SUBJECT = list('list_runs_of_subject', OF_SUBJECT)

/** Runs of all applications, newest first. Planned for its parameters: each filter has its index. */
export const listObservedRuns = (db: Db, filter: RunFilter, limit: number): Promise<ObservedRun[]> => {
  const { appId, subject, conversationId, endpointId, deviceId, state, errorCode, fromId, beforeId } = filter
  const params: Param[] = [appId, conversationId, endpointId, deviceId, state, errorCode, fromId, beforeId, limit]
  if (subject !== null) return queryByOwnPlan<ObservedRun>(db, LIST_OF_SUBJECT, [...params, subject])
  return queryByOwnPlan<ObservedRun>(db, statementFor(errorCode === null ? state : (state ?? 'failed')), params)
}

const statementFor = (state: RunState | null): Statement => {
  if (state === null) return LIST
  if (isTerminal(state)) return LIST_ENDED
  return isExecuting(state) ? LIST_EXECUTING : LIST_QUEUED
}

/** An unfinished run without a requested stop. */
export interface StoppableRun {
  readonly appId: string
  readonly conversationId: string
  readonly runId: string
  readonly state: RunState
}

// Unfinished runs are bounded by the limits of applications and devices, so that a subject needs no index here.
const STOPPABLE = (states: string): string => `(select r.* from runs r
    where r.state in (${states}) and ${FILTER} and ($10::text is null or r.subject = $10)
      and not exists (select from operations o
        where o.app_id = r.app_id and o.conversation_id = r.conversation_id
          and o.state in ('pending', 'waiting_device', 'stopping') and (o.run_id = r.run_id or o.kind = 'reset'))
    ${NEWEST})`

const LIST_STOPPABLE: Statement = {
  name: 'list_stoppable_runs',
  access: 'read',
  text: `select r.app_id as "appId", r.conversation_id as "conversationId", r.run_id as "runId", r.state
from (${STOPPABLE("'queued'")}
  union all ${STOPPABLE("'running', 'waiting_approval', 'reconciling'")}) r ${NEWEST}`,
}

/** Newest first. */
export const listStoppableRuns = (db: Db, filter: RunFilter, limit: number): Promise<StoppableRun[]> => {
  const { appId, subject, conversationId, endpointId, deviceId, state, errorCode, fromId, beforeId } = filter
  const params = [appId, conversationId, endpointId, deviceId, state, errorCode, fromId, beforeId, limit, subject]
  return queryByOwnPlan<StoppableRun>(db, LIST_STOPPABLE, params)
}
