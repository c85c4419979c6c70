import type { Client } from 'pg'
import { type Access, DatabaseUnavailable } from '../db.ts'
import { createConnectionQueue } from './connection-queue.ts'
import { toConnectError } from './database-errors.ts'
import type { CountedConnection, Need, PooledConnection } from './pooled-connection.ts'
import { createPooledConnection } from './pooled-connection.ts'

/** The connection pool of one process. Times are those of `performance.now()`. */
export interface ConnectionPool {
  /** Runs `use` on a connection that it shares with other pipelined statements. */
  share<T>(access: Access, deadline: number, use: (connection: PooledConnection) => Promise<T>): Promise<T>
  /** Runs `use` on a connection that it has exclusively. */
  take<T>(deadline: number, use: (connection: PooledConnection) => Promise<T>): Promise<T>
  /** Retires all open connections: they accept no new work, and the next statement opens another. */
  retireAll(): void
  /** Waits for current work, then closes every connection. Rejects later work. */
  close(): Promise<void>
}

export interface ConnectionPoolOptions {
  /** Maximum connections. One is opened when all open ones are busy, and is kept until its maximum age. */
  readonly size: number
  /** Opens a ready connection in pipeline mode. */
  readonly connect: () => Promise<Client>
  /** Maximum statements and transactions that wait for a connection; further ones are rejected at once. */
  readonly waitingAtMost: number
  /** A connection is retired at about this age, in milliseconds. Default: never. */
  readonly maxAgeMs?: number
}

/**
 * Maximum pipelined statements of one connection: enough to avoid pauses, few enough to limit head-of-line blocking.
 */
const ON_WIRE_AT_MOST = 8
/** A connection whose next answer has been pending for longer than this, in milliseconds, gets no new statements. */
const SLOW_MS = 50
/** Jitter of the maximum age, so that not all connections are replaced at once. */
const AGE_JITTER = 0.2
/** Delay before the next attempt if a further connection fails to open while others work. */
const REOPEN_AFTER_MS = 500

/**
 * A statement goes to the least busy connection. If all are busy, it is pipelined instead of waiting for earlier
 * answers, which saves context switches on both sides. If there are several connections, no read is queued behind a
 * statement that may wait for a lock, and such statements never use the last eighth of the connections. Transactions
 * leave another fifth to single statements. A broken connection is dropped at once, and the next statement opens
 * another.
 *
 * `use` must send its first statement before its first `await`. Statements that were given a connection before a
 * transaction took it are then also sent before the transaction.
 */
export const createConnectionPool = ({
  size,
  connect,
  waitingAtMost,
  maxAgeMs,
}: ConnectionPoolOptions): ConnectionPool => {
  const connections = new Set<CountedConnection>()
  const waiting = createConnectionQueue<CountedConnection>(waitingAtMost)
  const writingAtMost = size === 1 ? 1 : size - Math.max(1, Math.floor(size / 8))
  const takenAtMost = Math.max(1, writingAtMost - Math.max(1, Math.floor(size / 5)))
  let opening = 0
  let reopenAt = 0
  let inUse = 0
  let closed = false
  const idle = Promise.withResolvers<void>()

  const open = async (): Promise<void> => {
    opening += 1
    const enteredBefore = waiting.entered()
    try {
      const client = await connect()
      if (closed && inUse === 0) await client.end()
      else add(client)
    } catch (error) {
      reopenAt = performance.now() + REOPEN_AFTER_MS
      // As long as another connection works, waiting statements can still succeed.
      if (connections.size === 0) waiting.rejectFirst(enteredBefore, toConnectError(error))
    } finally {
      opening -= 1
      openForWaiting()
      settle()
    }
  }

  const add = (client: Client): void => {
    const spread = 1 + AGE_JITTER * (Math.random() - 0.5)
    const age = maxAgeMs === undefined ? null : maxAgeMs * spread
    connections.add(
      createPooledConnection({ client, maxAgeMs: age, onRetired: (connection) => connections.delete(connection) }),
    )
    dispatch()
  }

  /** Notifies `close` when no work is pending. */
  const settle = (): void => {
    if (closed && inUse === 0 && opening === 0) idle.resolve()
  }

  const openAnother = (): boolean => {
    if (connections.size + opening >= size) return false
    if (connections.size > 0 && performance.now() < reopenAt) return false
    void open()
    return true
  }

  const openForWaiting = (): void => {
    while (opening < waiting.size() && openAnother());
  }

  /** @param wanting How many need a connection now. */
  const place = (need: Need, wanting: number): CountedConnection | null => {
    let best: CountedConnection | null = null
    let writing = 0
    let taken = 0
    for (const connection of connections) {
      if (connection.isWriting) writing += 1
      if (connection.isTaken) taken += 1
    }
    if (need === 'exclusive' && taken >= takenAtMost) return null
    for (const connection of connections) {
      if (connection.isTaken || (best !== null && connection.inUse >= best.inUse)) continue
      if (need === 'read' ? connection.isWriting && size > 1 : !connection.isWriting && writing >= writingAtMost)
        continue
      if (connection.inUse >= ON_WIRE_AT_MOST || connection.waitedMs() > SLOW_MS) continue
      best = connection
    }
    // Wait for a new connection instead of sharing one, if one is being opened for each waiting statement.
    const isWorthWaiting = best !== null && best.inUse > 0 && (opening >= wanting || openAnother())
    return isWorthWaiting ? null : best
  }

  const start = <T>(
    connection: CountedConnection,
    need: Need,
    use: (connection: PooledConnection) => Promise<T>,
  ): Promise<T> => {
    connection.begin(need)
    const result = use(connection)
    const finish = (): void => {
      connection.end(need)
      inUse -= 1
      dispatch()
      settle()
    }
    result.then(finish, finish)
    return result
  }

  const dispatch = (): void => {
    while (waiting.startNext((need) => place(need, waiting.size())));
    openForWaiting()
  }

  const run = <T>(need: Need, deadline: number, use: (connection: PooledConnection) => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(new DatabaseUnavailable('the database is closed'))
    const connection = waiting.isEmpty(need) ? place(need, waiting.size() + 1) : null
    inUse += 1
    if (connection !== null) return start(connection, need, use)
    return new Promise<T>((resolve, reject) => {
      waiting.enter(need, deadline, {
        start: (free) => start(free, need, use).then(resolve, reject),
        reject: (error) => {
          inUse -= 1
          settle()
          reject(error)
        },
      })
      openForWaiting()
    })
  }

  return {
    share: (access, deadline, use) => run(access, deadline, use),
    take: (deadline, use) => run('exclusive', deadline, use),
    retireAll: () => {
      for (const connection of [...connections]) connection.retire()
    },
    close: async () => {
      closed = true
      settle()
      await idle.promise
      await Promise.all([...connections].map(({ client }) => client.end()))
    },
  }
}
