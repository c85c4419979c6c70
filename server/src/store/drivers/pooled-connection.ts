import type { Client } from 'pg'
import type { Access } from '../db.ts'

/** The use of a connection: single statements share one, a transaction has it exclusively. */
export type Need = Access | 'exclusive'

/** One connection. */
export interface PooledConnection {
  readonly client: Client
  /** Why the connection broke; null while it works. */
  readonly fault: Error | null
  /** Retires the connection: it gets no new work and closes when its current work has ended. */
  retire(): void
}

/** A connection of the pool with its load, by which the pool chooses. */
export interface CountedConnection extends PooledConnection {
  readonly inUse: number
  /** Whether a transaction, or a statement that may wait for a lock, is in progress. */
  readonly isWriting: boolean
  readonly isTaken: boolean
  /** How long the next answer has been pending. */
  waitedMs(): number
  begin(need: Need): void
  end(need: Need): void
}

export interface PooledConnectionOptions {
  readonly client: Client
  /** Retired at this age; null for never. */
  readonly maxAgeMs: number | null
  /** Called once, when the connection accepts no new work. */
  readonly onRetired: (connection: CountedConnection) => void
}

/** Tracks the pending work of a connection, from its opening to its end. */
export const createPooledConnection = ({ client, maxAgeMs, onRetired }: PooledConnectionOptions): CountedConnection => {
  let fault: Error | null = null
  let isRetired = false
  let inUse = 0
  let writes = 0
  let isTaken = false
  let headSince = 0

  const leave = (): void => {
    if (isRetired) return
    isRetired = true
    clearTimeout(ageing)
    onRetired(connection)
  }
  const retire = (): void => {
    leave()
    if (inUse === 0) void client.end()
  }
  const ageing = maxAgeMs === null ? undefined : setTimeout(retire, maxAgeMs).unref()
  client.on('error', (error) => {
    fault ??= error
    leave()
  })
  client.on('end', leave)

  const connection: CountedConnection = {
    client,
    retire,
    get fault() {
      return fault
    },
    get inUse() {
      return inUse
    },
    get isWriting() {
      return writes > 0
    },
    get isTaken() {
      return isTaken
    },
    waitedMs: () => (inUse === 0 ? 0 : performance.now() - headSince),
    begin: (need) => {
      if (inUse === 0) headSince = performance.now()
      inUse += 1
      if (need !== 'read') writes += 1
      if (need === 'exclusive') isTaken = true
    },
    end: (need) => {
      headSince = performance.now()
      inUse -= 1
      if (need !== 'read') writes -= 1
      if (need === 'exclusive') isTaken = false
      if (isRetired && inUse === 0) void client.end()
    },
  }
  return connection
}
