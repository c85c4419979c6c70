import type { Queryable, Statement } from '../../../src/store/db.ts'

const TABLES = [
  'conversations',
  'messages',
  'runs',
  'operations',
  'events',
  'idempotency',
  'approvals',
  'resources',
  'resource_chunks',
  'resource_uploads',
  'resource_uses',
] as const

const COUNT: Statement = {
  name: 'test_row_counts',
  access: 'read',
  text: `select ${TABLES.map((table) => `(select count(*) from ${table})::integer as ${table}`).join(', ')},
    (select coalesce(sum(unfinished), 0) from pending_runs)::integer as pending,
    (select coalesce(sum(last_seq), 0) from conversations)::integer as seqs,
    (select coalesce(sum(last_cursor), 0) from conversations)::integer as cursors`,
}

/**
 * The rows of each table, the unfinished runs by the counters of the limits, and the sums of the last numbers of events
 * and messages over all conversations.
 */
export type RowCounts = Readonly<Record<(typeof TABLES)[number] | 'pending' | 'seqs' | 'cursors', number>>

/** Counts the rows of each table above, so that a test sees everything that a request adds to them. */
export const countRows = async (db: Queryable): Promise<RowCounts> => {
  const [row] = await db.query<RowCounts>(COUNT, [])
  if (row === undefined) throw new Error('a count has a row')
  return row
}
