import { checkReplayHandle } from '../replay-handle.ts'
import { checkTableName } from '../table-name.ts'
import { createOutbox, readEntry } from './create-outbox.ts'
import type { Outbox, OutboxEntry } from './outbox.ts'

/** Runs a statement: a `Pool` or `Client` of pg, or a PGlite. */
export interface Queryable {
  query(text: string, parameters: unknown[]): Promise<{ rows: unknown[] }>
}

export interface PostgresOutboxOptions {
  /** The name of the table, with or without its schema. Default `gateway_outbox`. */
  readonly table?: string | undefined
}

interface Row {
  readonly id: string
  readonly owner: string
  readonly held_until: string
  readonly handle: string
}

/**
 * An outbox in a table of PostgreSQL, for processes without their own disk and for several processes that recover each
 * other's entries. As durable as the database. `client.recover()` sets `damaged = true` on damaged rows and reports
 * each.
 * @throws {TypeError} the table's name is not a valid name.
 */
export const postgresOutbox = (
  db: Queryable,
  options: PostgresOutboxOptions = {},
): Outbox & { /** Creates the table if it does not exist. */ migrate(): Promise<void> } => {
  const table = checkTableName(options.table ?? 'gateway_outbox')
  const keysOf = ({ handle: { origin, subject, idempotencyKey }, owner }: OutboxEntry): string[] => [
    origin,
    subject,
    idempotencyKey,
    owner,
  ]
  const isEntry = 'origin = $1 and subject = $2 and idempotency_key = $3 and owner = $4'
  const outbox = createOutbox({
    async put(entry) {
      await db.query(
        `insert into ${table} (origin, subject, idempotency_key, owner, held_until, handle)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (origin, subject, idempotency_key, owner)
         do update set held_until = excluded.held_until, handle = excluded.handle, damaged = false`,
        [...keysOf(entry), entry.heldUntil, JSON.stringify(entry.handle)],
      )
    },
    async claim(entry, next) {
      const { rows } = await db.query(
        `update ${table} set owner = $5, held_until = $6 where ${isEntry} returning owner`,
        [...keysOf(entry), next.owner, next.heldUntil],
      )
      return rows.length > 0
    },
    async delete(entry) {
      await db.query(`delete from ${table} where ${isEntry}`, keysOf(entry))
    },
    async list() {
      const { rows } = await db.query(`select id::text, owner, held_until, handle from ${table} where not damaged`, [])
      return (rows as Row[]).map(({ id, owner, held_until: heldUntil, handle }) =>
        readEntry(id, () => ({ handle: checkReplayHandle(JSON.parse(handle)), owner, heldUntil })),
      )
    },
    async setAside({ name }) {
      await db.query(`update ${table} set damaged = true where id = $1`, [name])
    },
  })
  return {
    ...outbox,
    async migrate() {
      await db.query(
        `create table if not exists ${table} (
           id bigint generated always as identity primary key,
           origin text not null,
           subject text not null,
           idempotency_key text not null,
           owner text not null,
           held_until text not null,
           handle text not null,
           damaged boolean not null default false,
           unique (origin, subject, idempotency_key, owner)
         )`,
        [],
      )
    },
  }
}
