import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseUnavailable, type Db, LockTimeout, type Tx } from '../db.ts'
import { createCommands, WaitedForLock } from './commands.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { createLockWaits } from './lock-waits.ts'
import type { LogOutage } from './outage-log.ts'
import { runTransaction, type TransactionSpan } from './transaction.ts'

export interface ClientDbOptions {
  readonly pool: ConnectionPool
  /** How long a statement or a transaction may take, its wait for a connection included, in milliseconds. */
  readonly deadlineMs: number
  /** Whether to close a connection that has not answered by the deadline; false if it is the only one. */
  readonly closesUnanswered: boolean
  /**
   * Called if the database is unavailable, except by transactions with their own deadline and in the lock wait queue.
   */
  readonly logOutage: LogOutage
  /** How many statements and transactions may wait for locks at once, and how many more may be queued behind them. */
  readonly lockWaits: { readonly places: number; readonly waitingAtMost: number }
}

/**
 * The server's own timeout as a share of the deadline. It ends first, so that the server reports the outcome of a
 * statement.
 */
export const SERVER_SHARE = 0.8

/** Statements and transactions over a pool of pg clients: the code that both databases share. */
export const createClientDb = ({
  pool,
  deadlineMs,
  closesUnanswered,
  logOutage,
  lockWaits: lockWaitOptions,
}: ClientDbOptions): Pick<Db, 'query' | 'transaction' | 'exec' | 'lastWithoutRoom'> => {
  const commands = createCommands({ pool, closesUnanswered })
  const lockWaits = createLockWaits(lockWaitOptions)
  const openTransaction = new AsyncLocalStorage<{ isOpen: boolean }>()

  // A statement of the Db inside a transaction would not be part of it, and would deadlock on a single connection.
  const refuseInsideTransaction = (): void => {
    if (openTransaction.getStore()?.isOpen === true) {
      throw new Error('the Db was used inside a transaction: use the Tx that was passed in')
    }
  }

  const transact = <T>(work: (tx: Tx) => Promise<T>, span: TransactionSpan): Promise<T> =>
    pool.take(span.deadline, (connection) => {
      const scope = { isOpen: true }
      const inScope = (tx: Tx): Promise<T> =>
        openTransaction
          .run(scope, () => work(tx))
          .finally(() => {
            scope.isOpen = false
          })
      return runTransaction(commands, connection, inScope, span)
    })

  const report = (error: unknown): unknown => {
    if (error instanceof DatabaseUnavailable) logOutage(error)
    return error
  }

  /**
   * Retries work that was rolled back because of a lock, in a transaction that waits for the lock. Rethrows other
   * errors.
   */
  const retryWaitingForLock = <T>(error: unknown, work: (tx: Tx) => Promise<T>, deadline: number): Promise<T> => {
    if (!(error instanceof WaitedForLock)) throw report(error)
    // Reserve time for the server's answer at the end of the wait; otherwise the outcome would be unknown.
    const lockBy = deadline - deadlineMs * (1 - SERVER_SHARE)
    return lockWaits.wait(error.owner, lockBy, () => {
      const serverMs = Math.max(1, Math.floor(lockBy - performance.now()))
      return transact(work, { settings: `set local lock_timeout to ${serverMs}`, deadline })
    })
  }

  return {
    lastWithoutRoom: commands.lastWithoutRoom,
    query: async (statement, params) => {
      refuseInsideTransaction()
      const deadline = performance.now() + deadlineMs
      try {
        return await pool.share(statement.access, deadline, (connection) =>
          commands.query(connection, statement, params, deadline),
        )
      } catch (error) {
        return retryWaitingForLock(error, (tx) => tx.query(statement, params), deadline)
      }
    },
    transaction: async (work, options) => {
      refuseInsideTransaction()
      const deadline = performance.now() + (options?.deadlineMs ?? deadlineMs)
      if (options?.deadlineMs !== undefined && closesUnanswered) {
        const serverMs = Math.floor(options.deadlineMs * SERVER_SHARE)
        const settings = `set local statement_timeout to ${serverMs}; set local lock_timeout to ${serverMs}; set local idle_in_transaction_session_timeout to ${serverMs}`
        return transact(work, { settings, deadline })
      }
      try {
        return await transact(work, { deadline })
      } catch (error) {
        if (options?.waitsForLocks === false && error instanceof LockTimeout) throw error
        return retryWaitingForLock(error, work, deadline)
      }
    },
    exec: async (sql) => {
      refuseInsideTransaction()
      const deadline = performance.now() + deadlineMs
      await pool.take(deadline, async (connection) => {
        try {
          await commands.exec(connection, sql)
        } catch (error) {
          await commands.control(connection, 'rollback', performance.now() + deadlineMs).catch(connection.retire)
          throw report(error)
        }
      })
    },
  }
}
