import type { Param, Statement, Tx } from '../db.ts'
import type { Commands } from './commands.ts'
import { COMMIT } from './commands.ts'
import type { Command } from './pipeline.ts'
import type { PooledConnection } from './pooled-connection.ts'
import { toWire } from './row-types.ts'

export interface TransactionSpan {
  /** Statements that follow BEGIN. Without them, BEGIN is sent together with the first statements of the work. */
  readonly settings?: string
  /** The deadline of the whole transaction, as a time of `performance.now()`. */
  readonly deadline: number
}

const BEGIN: Command = { name: 'begin', text: 'begin', values: [] }

/** Runs `work` between BEGIN and COMMIT; rolls back and rejects if it throws or a statement fails. */
export const runTransaction = async <T>(
  commands: Commands,
  connection: PooledConnection,
  work: (tx: Tx) => Promise<T>,
  { settings, deadline }: TransactionSpan,
): Promise<T> => {
  const batch = commands.batch(connection, deadline)
  let isOpen = true
  const tx: Tx = {
    inTransaction: true,
    query: async <R extends object>({ name, text }: Statement, params: readonly Param[]) => {
      if (!isOpen) throw new Error('the transaction has ended')
      const { rows } = await batch.add({ name, text, values: params.map(toWire) })
      return rows as R[]
    },
  }
  // Awaited only before the commit, so that the first statements are sent together with BEGIN.
  const begun = settings === undefined ? batch.add(BEGIN) : commands.control(connection, `begin; ${settings}`, deadline)
  begun.catch(() => {})
  try {
    const result = await work(tx)
    isOpen = false
    await begun
    const { command } = await batch.add(COMMIT)
    if (command === 'ROLLBACK') throw new Error('rolled back instead of committed: a statement had failed')
    return result
  } catch (error) {
    isOpen = false
    // Send the rollback separately: after a failed command in the same message it would be skipped.
    void batch.send()
    await commands.control(connection, 'rollback', deadline).catch(connection.retire)
    throw error
  }
}
