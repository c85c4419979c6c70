/** The interface between the store's statements and the two databases. */

/**
 * One SQL statement, prepared once per connection under its name.
 * Names are unique in the store; the text uses `$n` parameters only.
 */
export interface Statement {
  readonly name: string
  readonly access: Access
  readonly text: string
}

/**
 * `write`: the statement may change data, notify or wait for a lock. It is scheduled separately from reads, and if its
 * answer is lost, its outcome is unknown. If unsure, use `write`.
 */
export type Access = 'read' | 'write'

/**
 * The type of a parameter. A list is passed as one JSON text parameter (`json_to_recordset`,
 * `json_array_elements_text`).
 */
export type Param = string | number | boolean | null | Date | Uint8Array

/** Columns with 64-bit integers and counts are returned as numbers. */
export type Row = Record<string, unknown>

/** Runs one statement. Outside a transaction it commits automatically. */
export interface Queryable {
  query<R extends object = Row>(statement: Statement, params: readonly Param[]): Promise<R[]>
}

/** An open transaction. It ends with the callback that received it and must not be used afterwards. */
export interface Tx extends Queryable {
  readonly inTransaction: true
}

export interface Listener {
  close(): Promise<void>
}

export interface TransactionOptions {
  /** How long the whole transaction may take, in milliseconds. Default: the deadline of the database. */
  readonly deadlineMs?: number
  /** Whether it is restarted if it must wait for a lock; otherwise it is rejected with `LockTimeout`. Default true. */
  readonly waitsForLocks?: boolean
}

export interface Db extends Queryable {
  readonly kind: 'postgres' | 'embedded'
  /**
   * Runs `work` between BEGIN and COMMIT (READ COMMITTED); a throw rolls back. Never call `query` of the Db inside.
   * A transaction that waits for a lock is rolled back, and restarted when it may wait longer, so `work` may run twice.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs a text of several statements without parameters (migrations). */
  exec(sql: string): Promise<void>
  /** Calls `onMessage` for each NOTIFY on the channel, and `onLost` after a broken or old connection was replaced. */
  listen(channel: string, onMessage: (payload: string) => void, onLost: () => void): Promise<Listener>
  /** Sends each payload as one NOTIFY, in one round trip, on a separate connection that does not wait for the disk. */
  notify(channel: string, payloads: readonly string[]): Promise<void>
  /** The last failure of a statement for lack of room (disk, memory, a configured limit); null if none. */
  lastWithoutRoom(): LackOfRoom | null
  /** How often the listening connection was lost, so that notifications may be missing. */
  lostListeners(): number
  close(): Promise<void>
}

export interface LackOfRoom {
  /** A time of `performance.now()`. */
  readonly at: number
  /** The database's own message. */
  readonly message: string
}

/** A unique constraint refused a write; `constraint` is its name in the migrations. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
  readonly constraint: string
  constructor(constraint: string, options?: ErrorOptions) {
    super(`unique constraint ${constraint}`, options)
    this.constraint = constraint
  }
}

/**
 * The database cannot be reached, takes no writes, has no room, or did not answer in time: the caller may try again
 * later.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  /** `unknown`: the work may have been committed (D-57). `none`: it had no effect. */
  readonly outcome: 'none' | 'unknown'
  constructor(
    message?: string,
    { outcome = 'none', ...options }: ErrorOptions & { outcome?: 'none' | 'unknown' } = {},
  ) {
    super(message, options)
    this.outcome = outcome
  }
}

/** A statement exceeded its lock timeout or was part of a deadlock. Its transaction was rolled back. */
export class LockTimeout extends DatabaseUnavailable {}
