import type { Client } from 'pg'
import type { Access } from '../db.ts'

/** What a connection is wanted for: single statements share one, a transaction has it for itself. */
export type Need = Access | 'exclusive'

/** An open connection of the pool. */
export interface PooledConnection {
  readonly client: Client
  /** Why the connection broke; null while it holds. */
  readonly fault: Error | null
  /** Gives the connection nothing new, and closes it when what is under way has ended. */
  retire(): void
}

/** A connection with what the pool needs to choose among connections. */
export interface CountedConnection extends PooledConnection {
  readonly inUse: number
  /** Whether a statement that may wait for a lock, or a transaction, is under way. */
  readonly isWriting: boolean
  readonly isTaken: boolean
  /** How long the answer that is due next has been waited for. */
  waitedMs(): number
  begin(need: Need): void
  end(need: Need): void
}

export interface PooledConnectionOptions {
  readonly client: Client
  /** Retired at this age; null for never. */
  readonly maxAgeMs: number | null
  /** Called once, when nothing new may go over the connection. */
  readonly onRetired: (connection: CountedConnection) => void
}

/** Counts what is under way on a connection, from its opening to its end. */
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
