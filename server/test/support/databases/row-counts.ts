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

/** Rows of each kind, unfinished runs by the counters of the limits, and the numbers that events and messages have used up. */
export type RowCounts = Readonly<Record<(typeof TABLES)[number] | 'pending' | 'seqs' | 'cursors', number>>

/** How many rows of each kind there are: whatever a request adds, under whatever name, shows. */
export const countRows = async (db: Queryable): Promise<RowCounts> => {
  const [row] = await db.query<RowCounts>(COUNT, [])
  if (row === undefined) throw new Error('a count has a row')
  return row
}
