import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseUnavailable, type Db, type Param, type Statement, type Tx } from '../db.ts'
import { toStoreError } from './database-errors.ts'
import type { Lane, Lanes } from './lanes.ts'
import { toWire } from './row-types.ts'

export interface ClientDbOptions {
  readonly lanes: Lanes
  /** How long a statement may go without an answer before its connection is given up. Default: for ever. */
  readonly answerTimeoutMs?: number
}

/** Statements and transactions over lanes of pg clients: the part in which both databases are the same code. */
export const createClientDb = ({
  lanes,
  answerTimeoutMs,
}: ClientDbOptions): Pick<Db, 'query' | 'transaction' | 'exec'> => {
  const openTransaction = new AsyncLocalStorage<{ open: boolean }>()

  // A statement of the Db inside a transaction would not be part of it, and on a single connection wait for ever.
  const refuseInsideTransaction = (): void => {
    if (openTransaction.getStore()?.open === true) {
      throw new Error('the Db was used inside a transaction: use the Tx that was passed in')
    }
  }

  const send = async <R>(lane: Lane, { name, text }: Statement, params: readonly Param[]): Promise<R[]> => {
    const prepared = { name, text, values: params.map(toWire), query_timeout: answerTimeoutMs }
    try {
      return (await lane.client.query(prepared)).rows
    } catch (error) {
      throw refused(lane, error)
    }
  }

  /** Returns the command that the server says it carried out. */
  const control = async (lane: Lane, text: string): Promise<string> => {
    const command = { text, query_timeout: answerTimeoutMs }
    try {
      return (await lane.client.query(command)).command
    } catch (error) {
      throw refused(lane, error)
    }
  }

  const runTransaction = async <T>(lane: Lane, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const scope = { open: true }
    const tx: Tx = {
      inTransaction: true,
      query: async (statement, params) => {
        if (!scope.open) throw new Error('the transaction has ended')
        return send(lane, statement, params)
      },
    }
    // Awaited only before the commit: the first statement of the transaction travels with it.
    const begun = control(lane, 'begin')
    begun.catch(() => {})
    try {
      const result = await openTransaction.run(scope, () => work(tx))
      scope.open = false
      await begun
      const command = await control(lane, 'commit')
      if (command === 'ROLLBACK') throw new Error('rolled back instead of committed: a statement had failed')
      return result
    } catch (error) {
      scope.open = false
      await control(lane, 'rollback').catch(lane.discard)
      throw error
    }
  }

  return {
    query: async (statement, params) => {
      refuseInsideTransaction()
      return lanes.share((lane) => send(lane, statement, params))
    },
    transaction: async (work) => {
      refuseInsideTransaction()
      return lanes.take((lane) => runTransaction(lane, work))
    },
    exec: async (sql) => {
      refuseInsideTransaction()
      await lanes.take(async (lane) => {
        try {
          await lane.client.query(sql)
        } catch (error) {
          await control(lane, 'rollback').catch(lane.discard)
          throw refused(lane, error)
        }
      })
    },
  }
}

/** The error of a statement. A server that says good-bye closes the connection a moment later: nobody shall meet that. */
const refused = (lane: Lane, thrown: unknown): unknown => {
  const error = toStoreError(thrown, lane.fault)
  if (error instanceof DatabaseUnavailable) lane.discard()
  return error
}
