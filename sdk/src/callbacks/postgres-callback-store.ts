import type { CallbackDelivery, CallbackStore, CallbackVerdict } from './callback-store.ts'

/** Runs statements of one transaction: a client of pg and a transaction of PGlite are such. */
export interface PostgresTransaction {
  query(text: string, params?: unknown[]): Promise<{ rows: unknown[] }>
}

/** Where connections come from: the part of pg's `Pool` that is used. */
export interface PostgresPool {
  connect(): Promise<PostgresTransaction & { release(error?: Error | boolean): void }>
}

/** Runs `work` in one transaction, committed when it resolves and rolled back when it rejects. PGlite is one. */
export interface PostgresTransactor {
  transaction<T>(work: (tx: PostgresTransaction) => Promise<T>): Promise<T>
}

/**
 * Creates the store's table; run it once, with your own migrations. `event` is the body as it was sent, so the table
 * is also an inbox to work through later. `deliveries` counts arrivals under the ID, conflicting ones included.
 * Rows are yours to prune; a repeat of a pruned event counts as new, and gateways repeat for days after a failure.
 */
export const CALLBACK_INBOX_TABLE = `create table if not exists callback_inbox (
  event_id text primary key,
  body_sha256 text not null,
  event json not null,
  deliveries integer not null default 1,
  received_at timestamptz not null default now()
)`

// One statement decides. It waits for an unfinished transaction with the same event ID, and then sees its row, which
// a select after `on conflict do nothing` would not.
const RECORD = `insert into callback_inbox as inbox (event_id, body_sha256, event)
values ($1, $2::text, $3::text::json)
on conflict (event_id) do update set deliveries = inbox.deliveries + 1
returning case
  when deliveries = 1 then 'new'
  when body_sha256 = $2::text then 'duplicate'
  else 'conflicting'
end as verdict`

/**
 * A store in the table of {@link CALLBACK_INBOX_TABLE}. The handler runs in the transaction that records the event:
 * what it writes through `tx` happens exactly once for each event, also with several processes and after crashes.
 *
 * @param db pg's `Pool`, a PGlite, or any object with a `transaction` function.
 */
export const postgresCallbackStore = (db: PostgresPool | PostgresTransactor): CallbackStore<PostgresTransaction> => {
  const transaction = 'transaction' in db ? db.transaction.bind(db) : inPool(db)
  return { record: (delivery, handle) => transaction((tx) => recordIn(tx, delivery, handle)) }
}

const recordIn = async (
  tx: PostgresTransaction,
  { event, body, bodySha256 }: CallbackDelivery,
  handle: (tx: PostgresTransaction) => Promise<void>,
): Promise<CallbackVerdict> => {
  const { rows } = await tx.query(RECORD, [event.event_id, bodySha256, new TextDecoder().decode(body)])
  const verdict = toVerdict(rows[0])
  if (verdict === 'new') {
    await handle(tx)
    // PostgreSQL turns the commit of a failed transaction into a rollback without an error. A handler that caught the
    // error of a statement must not get its event acknowledged: this statement fails then.
    await tx.query('select 1')
  }
  return verdict
}

const toVerdict = (row: unknown): CallbackVerdict => {
  const verdict = typeof row === 'object' && row !== null && 'verdict' in row ? row.verdict : undefined
  if (verdict === 'new' || verdict === 'duplicate' || verdict === 'conflicting') return verdict
  throw new TypeError('The database returned no verdict: does `query` resolve to { rows } with rows as objects?')
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
      // A connection that cannot roll back is not given to anybody else.
      await client.query('rollback').catch((reason: Error) => {
        broken = reason
      })
      throw error
    } finally {
      client.release(broken)
    }
  }
