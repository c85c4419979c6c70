import type { Queryable, Statement } from './db.ts'

/** Where a log stands: the newest seq, and the newest that is no longer served. */
export interface LogBounds {
  readonly lastSeq: number
  readonly prunedSeq: number
}

const BOUNDS: Statement = {
  name: 'log_bounds',
  text: `select last_seq as "lastSeq", pruned_seq as "prunedSeq" from conversations
    where app_id = $1 and conversation_id = $2`,
}

export const readLogBounds = async (db: Queryable, appId: string, conversationId: string): Promise<LogBounds> =>
  (await db.query<LogBounds>(BOUNDS, [appId, conversationId]))[0] ?? { lastSeq: 0, prunedSeq: 0 }

/** How far a reader has come in a log. */
export interface LogPosition {
  readonly appId: string
  readonly conversationId: string
  readonly seq: number
}

/** A log that goes on after the position that was asked about. */
export interface GrownLog {
  readonly appId: string
  readonly conversationId: string
  readonly prunedSeq: number
}

const GROWN: Statement = {
  name: 'grown_logs',
  text: `
select c.app_id as "appId", c.conversation_id as "conversationId", c.pruned_seq as "prunedSeq"
from json_to_recordset($1::json) as seen(app_id text, conversation_id text, seq bigint)
join conversations c on c.app_id = seen.app_id and c.conversation_id = seen.conversation_id
where c.last_seq > seen.seq`,
}

/** Those of many logs that have events after a reader's position, in one statement. */
export const findGrownLogs = (db: Queryable, positions: readonly LogPosition[]): Promise<GrownLog[]> =>
  db.query<GrownLog>(GROWN, [
    JSON.stringify(
      positions.map(({ appId, conversationId, seq }) => ({ app_id: appId, conversation_id: conversationId, seq })),
    ),
  ])
