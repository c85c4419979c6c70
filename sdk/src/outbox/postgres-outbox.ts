import { checkReplayHandle } from '../transport/replay-handle.ts'
import type { Outbox } from './outbox.ts'

/** What runs a statement: a `Pool` or `Client` of pg, or a PGlite. */
export interface Queryable {
  query(text: string, parameters: unknown[]): Promise<{ rows: unknown[] }>
}

const CREATE = `
create table if not exists gateway_outbox (
  origin text not null,
  subject text not null,
  idempotency_key text not null,
  created_at timestamptz not null,
  handle text not null,
  primary key (origin, subject, idempotency_key)
)`

const PUT = `
insert into gateway_outbox (origin, subject, idempotency_key, created_at, handle)
values ($1, $2, $3, $4, $5)
on conflict do nothing`

const DELETE = 'delete from gateway_outbox where origin = $1 and subject = $2 and idempotency_key = $3'

const LIST = 'select handle from gateway_outbox order by created_at, idempotency_key'

/**
 * An outbox in a table of PostgreSQL, `gateway_outbox`, for processes without a disk of their own and for several that
 * recover for each other. As durable as the database.
 */
export const postgresOutbox = (
  db: Queryable,
): Outbox & { /** Makes the table if it is not there. */ migrate(): Promise<void> } => ({
  async migrate() {
    await db.query(CREATE, [])
  },
  async put(handle) {
    const { origin, subject, idempotencyKey, createdAt } = handle
    await db.query(PUT, [origin, subject, idempotencyKey, createdAt, JSON.stringify(handle)])
  },
  async delete({ origin, subject, idempotencyKey }) {
    await db.query(DELETE, [origin, subject, idempotencyKey])
  },
  async list() {
    const { rows } = await db.query(LIST, [])
    return rows.map((row) => checkReplayHandle(JSON.parse(String((row as { handle: unknown }).handle))))
  },
})
