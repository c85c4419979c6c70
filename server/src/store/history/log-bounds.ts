import type { Queryable, Statement } from '../db.ts'

/** The bounds of a log: the newest seq, and the newest that is no longer served. */
export interface LogBounds {
  readonly lastSeq: number
  readonly prunedSeq: number
}

const BOUNDS: Statement = {
  name: 'log_bounds',
  access: 'read',
  text: `select last_seq as "lastSeq", pruned_seq as "prunedSeq" from conversations
    where app_id = $1 and conversation_id = $2`,
}

export const readLogBounds = async (db: Queryable, appId: string, conversationId: string): Promise<LogBounds> =>
  (await db.query<LogBounds>(BOUNDS, [appId, conversationId]))[0] ?? { lastSeq: 0, prunedSeq: 0 }

/** The lowest and highest positions of a log's readers. */
export interface LogPositions {
  readonly appId: string
  readonly conversationId: string
  readonly lowest: number
  readonly highest: number
}

/** A log whose end differs from a reader's position. */
export interface MovedLog extends LogBounds {
  readonly appId: string
  readonly conversationId: string
}

// A log that is missing from a restored database is treated as empty.
const MOVED: Statement = {
  name: 'moved_logs',
  access: 'read',
  text: `
select seen.app_id as "appId", seen.conversation_id as "conversationId",
  coalesce(c.last_seq, 0) as "lastSeq", coalesce(c.pruned_seq, 0) as "prunedSeq"
from json_to_recordset($1::json) as seen(app_id text, conversation_id text, lowest bigint, highest bigint)
left join conversations c on c.app_id = seen.app_id and c.conversation_id = seen.conversation_id
where coalesce(c.last_seq, 0) > seen.lowest or coalesce(c.last_seq, 0) < seen.highest`,
}

/** Finds, in one statement, the logs that have events after a reader's position or that end before one. */
export const findMovedLogs = (db: Queryable, positions: readonly LogPositions[]): Promise<MovedLog[]> =>
  db.query<MovedLog>(MOVED, [
    JSON.stringify(
      positions.map(({ appId, conversationId, ...seqs }) => ({
        app_id: appId,
        conversation_id: conversationId,
        ...seqs,
      })),
    ),
  ])
