import type { Statement, Tx } from './db.ts'
import type { ConversationKey } from './runs.ts'
import { conversationList } from './runs.ts'

/** Unfinished runs of an application and of a device. */
export interface PendingCount {
  readonly appId: string
  readonly deviceId: string
  readonly ofApp: number
  readonly ofDevice: number
}

/** Counters of unfinished runs are spread over this many rows for each application and device. */
const SHARDS = 64

/** A random counter shard, to avoid contention. */
export const randomShard = (): number => Math.floor(Math.random() * SHARDS)

const COUNT: Statement = {
  name: 'count_pending_runs',
  access: 'read',
  text: `
select n.app_id as "appId", n.device_id as "deviceId",
  (select coalesce(sum(unfinished), 0)::integer from pending_runs where app_id = n.app_id) as "ofApp",
  (select coalesce(sum(unfinished), 0)::integer from pending_runs where device_id = n.device_id) as "ofDevice"
from (
  select distinct c.app_id, c.device_id from json_to_recordset($1::json) as k(app_id text, conversation_id text)
  cross join lateral (
    select * from conversations where app_id = k.app_id and conversation_id = k.conversation_id offset 0
  ) c
) n`,
}

/** The number of unfinished runs of the conversations' applications and devices. */
export const countPending = (tx: Tx, conversations: readonly ConversationKey[]): Promise<PendingCount[]> =>
  tx.query<PendingCount>(COUNT, [conversationList(conversations)])

const LOCK: Statement = {
  name: 'lock_pending_limits',
  access: 'write',
  text: `select pg_advisory_xact_lock(hashtextextended('pending:' || name, 0))
    from (select name from json_array_elements_text($1::json) as n(name) order by name) ordered`,
}

/**
 * Serialises batches with admissions near a limit, so that each reads the exact count. Always take it before any
 * conversation's lock.
 */
export const lockPendingLimits = async (
  tx: Tx,
  places: readonly { readonly appId: string; readonly deviceId: string }[],
): Promise<void> => {
  const names = new Set(places.flatMap(({ appId, deviceId }) => [`app:${appId}`, `device:${deviceId}`]))
  await tx.query(LOCK, [JSON.stringify([...names])])
}
