import type { Queryable } from '../../../src/store/db.ts'

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
] as const

const COUNT = {
  name: 'test_row_counts',
  text: `select ${TABLES.map((table) => `(select count(*) from ${table})::integer as ${table}`).join(', ')}`,
}

/** How many rows of each kind there are: whatever a request adds, under whatever name, shows. */
export const countRows = async (db: Queryable): Promise<Readonly<Record<(typeof TABLES)[number], number>>> => {
  const [row] = await db.query<Record<(typeof TABLES)[number], number>>(COUNT, [])
  if (row === undefined) throw new Error('a count has a row')
  return row
}
