import { checkTableName } from '../table-name.ts'
import type { CallbackDelivery, CallbackStore, CallbackVerdict } from './callback-store.ts'

/** Runs statements of one transaction, such as a client of pg or a transaction of PGlite. */
export interface PostgresTransaction {
  query(text: string, params?: unknown[]): Promise<{ rows: unknown[] }>
}

/** The part of pg's `Pool` that is used. */
export interface PostgresPool {
  connect(): Promise<PostgresTransaction & { release(error?: Error | boolean): void }>
}

/** Runs `work` in one transaction, committed when it resolves and rolled back when it rejects. PGlite implements it. */
export interface PostgresTransactor {
  transaction<T>(work: (tx: PostgresTransaction) => Promise<T>): Promise<T>
}

const tableSource = (table: string): string => `create table if not exists ${table} (
  event_id text primary key,
  body_sha256 text not null,
  event json not null,
  deliveries integer not null default 1,
  received_at timestamptz not null default now()
)`

/**
 * Creates the store's table. Run it once, with your own migrations, or call `migrate()`. `event` is the body as it was
 * sent, so you can also process the table later as an inbox. `deliveries` counts arrivals under the ID, conflicting
 * ones included.
 */
export const CALLBACK_INBOX_TABLE: string = tableSource('callback_inbox')

// A single statement classifies the delivery. It waits for an unfinished transaction with the same event ID, and then
// sees its row, which a select after `on conflict do nothing` would not.
const recordSource = (table: string): string => `insert into ${table} as inbox (event_id, body_sha256, event)
values ($1, $2::text, $3::text::json)
on conflict (event_id) do update set deliveries = inbox.deliveries + 1
returning case
  when deliveries = 1 then 'new'
  when body_sha256 = $2::text then 'duplicate'
  else 'conflicting'
end as verdict`

export interface PostgresCallbackStoreOptions {
  /** The name of the table, with or without its schema. Default `callback_inbox`. */
  readonly table?: string | undefined
}

export interface PostgresCallbackStore extends CallbackStore<PostgresTransaction> {
  /** Creates the table if it does not exist. */
  migrate(): Promise<void>
  /**
   * Deletes the events that were received before this time. A repeat of a deleted event is treated as new, and gateways
   * repeat events for days after a failure: keep events for at least a week.
   */
  prune(before: Date): Promise<void>
}

/**
 * A store in the table of {@link CALLBACK_INBOX_TABLE}, or one of another name. The handler runs in the transaction
 * that records the event: what it writes through `tx` happens exactly once for each event, also with several processes
 * and after crashes.
 *
 * @param db pg's `Pool`, a PGlite, or any object with a `transaction` function.
 * @throws {TypeError} the table's name is not a valid name.
 */
export const postgresCallbackStore = (
  db: PostgresPool | PostgresTransactor,
  options: PostgresCallbackStoreOptions = {},
): PostgresCallbackStore => {
  const table = checkTableName(options.table ?? 'callback_inbox')
  const statement = recordSource(table)
  const transaction = 'transaction' in db ? db.transaction.bind(db) : inPool(db)
  return {
    record: (delivery, handle) => transaction((tx) => recordIn(tx, statement, delivery, handle)),
    migrate: () => transaction(async (tx) => void (await tx.query(tableSource(table)))),
    prune: (before) =>
      transaction(async (tx) => void (await tx.query(`delete from ${table} where received_at < $1`, [before]))),
  }
}

const recordIn = async (
  tx: PostgresTransaction,
  statement: string,
  { event, body, bodySha256 }: CallbackDelivery,
  handle: (tx: PostgresTransaction) => Promise<void>,
): Promise<CallbackVerdict> => {
  const { rows } = await tx.query(statement, [event.event_id, bodySha256, new TextDecoder().decode(body)])
  const verdict = toVerdict(rows[0])
  if (verdict === 'new') {
    await handle(tx)
    // PostgreSQL turns the commit of a failed transaction into a rollback without an error. If a handler swallows the
    // error of a statement, its event must not be acknowledged; this statement then fails.
    await tx.query('select 1')
  }
  return verdict
}

const toVerdict = (row: unknown): CallbackVerdict => {
  const verdict = typeof row === 'object' && row !== null && 'verdict' in row ? row.verdict : undefined
  if (verdict === 'new' || verdict === 'duplicate' || verdict === 'conflicting') return verdict
  throw new TypeError('The query returned no `verdict`: does `query` resolve to { rows } with rows as objects?')
}

const inPool =
  (pool: PostgresPool): PostgresTransactor['transaction'] =>
  async (work) => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (error) {
      // A connection that cannot roll back must not be reused.
      await client.query('rollback').catch((reason: Error) => {
        broken = reason
      })
      throw error
    } finally {
      client.release(broken)
    }
  }
