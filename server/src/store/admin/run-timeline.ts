import type { StoredMessage } from '@conversation-gateway/openapi/behaviour/message-record'
import type { Queryable, Statement } from '../db.ts'
import type { JsonMessage } from '../history/snapshot.ts'
import { fromJsonMessage, MESSAGE_JSON } from '../history/snapshot.ts'
import type { StoredApproval } from './approvals.ts'
import { APPROVAL_COLUMNS } from './approvals.ts'
import type { StoredDelivery } from './deliveries.ts'
import { DELIVERY_COLUMNS } from './deliveries.ts'
import type { ObservedRun } from './runs.ts'

// Reads the messages, events, approvals, stops and deliveries of one run. Each list is bounded.

type RunPlace = Pick<ObservedRun, 'appId' | 'conversationId' | 'runId' | 'position' | 'admittedSeq'>

const MESSAGES: Statement = {
  name: 'messages_of_run',
  access: 'read',
  text: `
select ${MESSAGE_JSON} as message from (
  select * from messages where app_id = $1 and conversation_id = $2 and cursor >= $4 order by cursor limit 10000
) m where m.run_id = $3 order by m.cursor limit 100`,
}

export const readMessagesOfRun = async (db: Queryable, run: RunPlace): Promise<StoredMessage[]> => {
  const { appId, conversationId, runId, position } = run
  const rows = await db.query<{ message: JsonMessage }>(MESSAGES, [appId, conversationId, runId, position])
  return rows.map(({ message }) => fromJsonMessage(message))
}

/** One event, or all pieces of one streamed message, or all changes of one activity. */
export interface EventsOfRun {
  readonly seq: number
  readonly lastSeq: number
  readonly count: number
  readonly type: string
  readonly messageId: string | null
  readonly state: string | null
  readonly errorCode: string | null
  readonly activityId: string | null
  readonly activityKind: string | null
  readonly activityName: string | null
  readonly activityState: string | null
  readonly createdAt: Date
  readonly lastAt: Date
}

const EVENTS: Statement = {
  name: 'events_of_run',
  access: 'read',
  text: `
select min(seq) as seq, max(seq) as "lastSeq", count(*) as count, type, message_id as "messageId",
  min(payload ->> 'state') as state, min(payload #>> '{error,code}') as "errorCode", min(created_at) as "createdAt",
  max(created_at) as "lastAt", min(activity ->> 'activity_id') as "activityId", min(activity ->> 'kind') as "activityKind",
  min(activity ->> 'name') as "activityName",
  (array_agg(activity ->> 'state' order by seq desc) filter (where activity ->> 'state' is not null))[1] as "activityState"
from (
  select *, case when type = 'assistant.activity' then payload -> 'activity' end as activity
  from events where app_id = $1 and conversation_id = $2 and seq > $4 order by seq limit 50000
) e where run_id = $3
group by type, message_id, case type when 'assistant.delta' then message_id
  when 'assistant.activity' then activity ->> 'activity_id' else event_id end
order by 1 limit 1000`,
}

export const readEventsOfRun = (db: Queryable, run: RunPlace): Promise<EventsOfRun[]> =>
  db.query<EventsOfRun>(EVENTS, [run.appId, run.conversationId, run.runId, run.admittedSeq])

const APPROVALS: Statement = {
  name: 'approvals_of_run',
  access: 'read',
  text: `select ${APPROVAL_COLUMNS} from approvals where app_id = $1 and conversation_id = $2 and run_id = $3
    order by approval_id limit 100`,
}

export const readApprovalsOfRun = (db: Queryable, run: RunPlace): Promise<StoredApproval[]> =>
  db.query<StoredApproval>(APPROVALS, [run.appId, run.conversationId, run.runId])

export interface StopOfRun {
  readonly operationId: string
  readonly kind: 'cancel' | 'reset'
  readonly state: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const STOPS: Statement = {
  name: 'stops_of_run',
  access: 'read',
  text: `select operation_id as "operationId", kind, state, created_at as "createdAt", updated_at as "updatedAt"
    from operations where app_id = $1 and conversation_id = $2
      and (run_id = $3 or (run_id is null and generation in ($4::bigint, $4::bigint + 1) and created_at >= $5
        and ($6::timestamptz is null or created_at <= $6)))
    order by operation_id limit 100`,
}

/** Cancels of the run, and resets that came while it was unfinished. */
export const readStopsOfRun = (
  db: Queryable,
  run: RunPlace & Pick<ObservedRun, 'generation' | 'createdAt' | 'finishedAt'>,
): Promise<StopOfRun[]> =>
  db.query<StopOfRun>(STOPS, [run.appId, run.conversationId, run.runId, run.generation, run.createdAt, run.finishedAt])

// An event may be pruned before its delivery is sent; then the payload identifies the run.
const DELIVERIES: Statement = {
  name: 'deliveries_of_run',
  access: 'read',
  text: `select ${DELIVERY_COLUMNS} from (
    select d.*, e.run_id from deliveries d
    left join events e on e.app_id = d.app_id and e.conversation_id = d.conversation_id and e.seq = d.seq
    where d.app_id = $1 and d.conversation_id = $2 and d.seq > $4
  ) d where coalesce(d.run_id, d.body::json ->> 'run_id') = $3 order by d.seq, d.delivery_id limit 100`,
}

export const readDeliveriesOfRun = (db: Queryable, run: RunPlace): Promise<StoredDelivery[]> =>
  db.query<StoredDelivery>(DELIVERIES, [run.appId, run.conversationId, run.runId, run.admittedSeq])
