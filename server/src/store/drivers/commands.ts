import type { LackOfRoom, Param, Statement } from '../db.ts'
import { DatabaseUnavailable, LockTimeout } from '../db.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { isReadOnly, lacksRoom, leavesSessionUsable, toStoreError } from './database-errors.ts'
import type { Answer, Command } from './pipeline.ts'
import { hasCommands, sendPipeline } from './pipeline.ts'
import type { PooledConnection } from './pooled-connection.ts'
import { toWire } from './row-types.ts'

export interface CommandsOptions {
  readonly pool: Pick<ConnectionPool, 'retireAll'>
  /** Whether to close a connection that has not answered by the deadline; false if it is the only one. */
  readonly closesUnanswered: boolean
}

/**
 * Sends commands over a connection. A deadline is a time of `performance.now()`. Rejects with errors of the store where
 * possible. An unusable connection is retired before the promise rejects.
 */
export interface Commands {
  /** Runs one statement. */
  query<R>(connection: PooledConnection, statement: Statement, params: readonly Param[], deadline: number): Promise<R[]>
  /** Runs text that begins or ends a transaction. */
  control(connection: PooledConnection, text: string, deadline: number): Promise<void>
  /** Runs a text of several statements without parameters, however long it takes. */
  exec(connection: PooledConnection, sql: string): Promise<void>
  batch(connection: PooledConnection, deadline: number): CommandBatch
  lastWithoutRoom(): LackOfRoom | null
}

/**
 * Commands that are added without a pause are sent in one message at the next `process.nextTick`, unless `send` is
 * called earlier.
 */
export interface CommandBatch {
  add(command: Command): Promise<Answer>
  send(): Promise<void>
}

/** A statement had to wait for a lock. */
export class WaitedForLock extends LockTimeout {
  /** The statement's first parameter; in a statement about a single tenant it is the application. */
  readonly owner: string
  constructor(owner: string, { message, cause }: LockTimeout) {
    super(message, { cause })
    this.owner = owner
  }
}

export const COMMIT: Command = { name: 'commit', text: 'commit', values: [] }

interface Added {
  readonly command: Command
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

export const createCommands = ({ pool, closesUnanswered }: CommandsOptions): Commands => {
  let lackOfRoom: LackOfRoom | null = null

  /** The error of a failed command. Retires an unusable connection, so that no other statement uses it. */
  const errorOf = (connection: PooledConnection, thrown: unknown, commits: boolean): unknown => {
    const error = toStoreError(thrown, { fault: connection.fault, commits })
    if (error instanceof Error && lacksRoom(error)) lackOfRoom = { at: performance.now(), message: error.message }
    if (isReadOnly(error)) pool.retireAll()
    else if (error instanceof DatabaseUnavailable && !leavesSessionUsable(error)) connection.retire()
    return error
  }

  /** The error of a failed statement with these parameters. */
  const statementError = (
    connection: PooledConnection,
    [owner]: readonly unknown[],
    thrown: unknown,
    commits: boolean,
  ): unknown => {
    const error = errorOf(connection, thrown, commits)
    return error instanceof LockTimeout ? new WaitedForLock(String(owner), error) : error
  }

  /** Timeout for an answer, after which the connection is closed; pg needs whole milliseconds. */
  const silenceUntil = (deadline: number): { query_timeout?: number } =>
    closesUnanswered ? { query_timeout: Math.max(1, Math.ceil(deadline - performance.now())) } : {}

  return {
    query: async (connection, { name, access, text }, params, deadline) => {
      try {
        const query = { name, text, values: params.map(toWire), ...silenceUntil(deadline) }
        return (await connection.client.query(query)).rows
      } catch (thrown) {
        throw statementError(connection, params, thrown, access === 'write')
      }
    },
    control: async (connection, text, deadline) => {
      try {
        await connection.client.query({ text, ...silenceUntil(deadline) })
      } catch (thrown) {
        throw errorOf(connection, thrown, false)
      }
    },
    exec: async (connection, sql) => {
      try {
        await connection.client.query(sql)
      } catch (thrown) {
        throw errorOf(connection, thrown, true)
      }
    },
    batch: (connection, deadline) => {
      let added: Added[] = []
      const send = async (): Promise<void> => {
        const sent = added
        added = []
        const commands = sent.map(({ command }) => command)
        if (!hasCommands(commands)) return
        const { answers, error } = await sendPipeline(connection.client, commands, silenceUntil(deadline).query_timeout)
        const failed = commands[answers.length]
        const refusal =
          failed === undefined ? null : statementError(connection, failed.values, error, commands.includes(COMMIT))
        for (const [index, { resolve, reject }] of sent.entries()) {
          const answer = answers[index]
          if (answer === undefined) reject(refusal)
          else resolve(answer)
        }
      }
      return {
        add: (command) =>
          new Promise((resolve, reject) => {
            if (added.length === 0) process.nextTick(send)
            added.push({ command, resolve, reject })
          }),
        send,
      }
    },
    lastWithoutRoom: () => lackOfRoom,
  }
}
