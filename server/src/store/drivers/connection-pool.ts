import type { Client } from 'pg'
import { type Access, DatabaseUnavailable } from '../db.ts'
import { createConnectionQueue } from './connection-queue.ts'
import { toConnectError } from './database-errors.ts'
import type { CountedConnection, Need, PooledConnection } from './pooled-connection.ts'
import { createPooledConnection } from './pooled-connection.ts'

/** The connections of one process to its database. A deadline is a time of `performance.now()`. */
export interface ConnectionPool {
  /** Runs `use` on a connection that other single statements share, one behind the other on the wire. */
  share<T>(access: Access, deadline: number, use: (connection: PooledConnection) => Promise<T>): Promise<T>
  /** Runs `use` on a connection that nobody else uses until it ends. */
  take<T>(deadline: number, use: (connection: PooledConnection) => Promise<T>): Promise<T>
  /** Retires all open connections: they get no further statements, and the next statement opens another connection. */
  retireAll(): void
  /** Lets what has begun end, then closes every connection. What comes later is rejected. */
  close(): Promise<void>
}

export interface ConnectionPoolOptions {
  /** Connections at most. One is opened when all open ones are busy, and stays until it is old. */
  readonly size: number
  /** Opens a connection in pipeline mode that can be used at once. */
  readonly connect: () => Promise<Client>
  /** Statements and transactions that wait for a connection; one more is rejected at once. */
  readonly waitingAtMost: number
  /** A connection is retired at about this age, in milliseconds. Default: never. */
  readonly maxAgeMs?: number
}

/** Pipelined statements of one connection: enough to save the pauses between them, few enough to be held up together. */
const ON_WIRE_AT_MOST = 8
/** A connection that lets its statements wait for longer gets nothing new behind them. */
const SLOW_MS = 50
/** The age of a connection varies by this much, so that not all are opened again at once. */
const AGE_JITTER = 0.2
/** Where some connections work and no further one opens, this long passes before the next attempt. */
const REOPEN_AFTER_MS = 500

/**
 * A statement goes to the least busy connection, and where all are busy it is sent behind those that it finds there
 * instead of waiting for their answers: that saves a task switch for each on both sides. A statement that may wait for a
 * lock is never sent ahead of a read and never uses the last eighth of the connections; transactions leave another fifth to
 * single statements. A broken connection is forgotten at once and the next statement opens another.
 *
 * `use` must send its first statement before its first `await`, so that statements which were given a connection before a
 * transaction took it are also sent before the transaction.
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
      // As long as another connection works, what waits has a chance.
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

  /** Tells `close` once nothing is under way any more. */
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

  /** @param wanting How many want a connection now. */
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
    // Waits for a new connection instead of sharing one, if one is being opened for each that waits.
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
