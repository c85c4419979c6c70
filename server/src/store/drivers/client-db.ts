import { AsyncLocalStorage } from 'node:async_hooks'
import {
  DatabaseUnavailable,
  type Db,
  type LackOfRoom,
  LockTimeout,
  type Param,
  type Statement,
  type Tx,
} from '../db.ts'
import { isReadOnly, lacksRoom, leavesSessionUsable, toStoreError } from './database-errors.ts'
import type { Lane } from './lane.ts'
import type { Lanes } from './lanes.ts'
import { type Answer, type Command, isMessage, sendMessage } from './message.ts'
import type { TellOutage } from './outage-log.ts'
import { createPatience } from './patience.ts'
import { toWire } from './row-types.ts'

export interface ClientDbOptions {
  readonly lanes: Lanes
  /** How long a statement or a transaction may take, its wait for a connection included, in milliseconds. */
  readonly deadlineMs: number
  /** Whether a connection that stays silent past the deadline is given up. The embedded database has no other. */
  readonly givesUpSilent: boolean
  /** Told of every statement and transaction that the database could not carry out. */
  readonly tellOutage: TellOutage
  /** How many may wait for locks at once, and how many more for their turn to. */
  readonly patience: { readonly places: number; readonly waitingAtMost: number }
}

/** What begins a transaction, and when all of it has to be over. */
interface Span {
  readonly begin: string
  readonly deadline: number
}

/** What is asked for in one turn goes together, and may be sent earlier than at the end of the turn. */
interface Talk {
  ask(command: Command): Promise<Answer>
  send(): Promise<void>
}

interface Asked {
  readonly command: Command
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

const BEGIN: Command = { name: 'begin', text: 'begin', values: [] }
const COMMIT: Command = { name: 'commit', text: 'commit', values: [] }

/** Of the time that is left, so much is the server's, which then says what became of a statement. */
export const SERVER_SHARE = 0.8

/** Statements and transactions over lanes of pg clients: the part in which both databases are the same code. */
export const createClientDb = ({
  lanes,
  deadlineMs,
  givesUpSilent,
  tellOutage,
  patience: patienceOptions,
}: ClientDbOptions): Pick<Db, 'query' | 'transaction' | 'exec' | 'lastWithoutRoom'> => {
  let lackOfRoom: LackOfRoom | null = null
  const openTransaction = new AsyncLocalStorage<{ open: boolean }>()
  const patience = createPatience(patienceOptions)

  // A statement of the Db inside a transaction would not be part of it, and on a single connection wait for ever.
  const refuseInsideTransaction = (): void => {
    if (openTransaction.getStore()?.open === true) {
      throw new Error('the Db was used inside a transaction: use the Tx that was passed in')
    }
  }

  /** The error of a command. A connection that shall not be used any more is left at once: nobody else shall meet it. */
  const refused = (lane: Lane, thrown: unknown, commits: boolean): unknown => {
    const error = toStoreError(thrown, { fault: lane.fault, commits })
    if (error instanceof Error && lacksRoom(error)) lackOfRoom = { at: performance.now(), message: error.message }
    if (isReadOnly(error)) lanes.retireAll()
    else if (error instanceof DatabaseUnavailable && !leavesSessionUsable(error)) lane.retire()
    return error
  }

  /** The error of a statement with these parameters. */
  const refusedAt = (lane: Lane, [owner]: readonly unknown[], thrown: unknown, commits: boolean): unknown => {
    const error = refused(lane, thrown, commits)
    return error instanceof LockTimeout ? new WaitedForLock(String(owner), error) : error
  }

  /** Waiting for an answer longer than this breaks the connection; pg wants whole milliseconds. */
  const silenceUntil = (deadline: number): { query_timeout?: number } =>
    givesUpSilent ? { query_timeout: Math.max(1, Math.ceil(deadline - performance.now())) } : {}

  const send = async <R>(
    lane: Lane,
    { name, access, text }: Statement,
    params: readonly Param[],
    deadline: number,
  ): Promise<R[]> => {
    try {
      return (await lane.client.query({ name, text, values: params.map(toWire), ...silenceUntil(deadline) })).rows
    } catch (thrown) {
      throw refusedAt(lane, params, thrown, access === 'write')
    }
  }

  const control = async (lane: Lane, text: string, deadline: number): Promise<void> => {
    try {
      await lane.client.query({ text, ...silenceUntil(deadline) })
    } catch (thrown) {
      throw refused(lane, thrown, false)
    }
  }

  /** Carries out commands in messages of what is asked for in one turn of the event loop. */
  const talkTo = (lane: Lane, deadline: number): Talk => {
    let asked: Asked[] = []
    const send = async (): Promise<void> => {
      const sent = asked
      asked = []
      const commands = sent.map(({ command }) => command)
      if (!isMessage(commands)) return
      const { answers, error } = await sendMessage(lane.client, commands, silenceUntil(deadline).query_timeout)
      const failed = commands[answers.length]
      const refusal = failed === undefined ? null : refusedAt(lane, failed.values, error, commands.includes(COMMIT))
      for (const [place, { resolve, reject }] of sent.entries()) {
        const answer = answers[place]
        if (answer === undefined) reject(refusal)
        else resolve(answer)
      }
    }
    return {
      ask: (command) =>
        new Promise((resolve, reject) => {
          if (asked.length === 0) process.nextTick(send)
          asked.push({ command, resolve, reject })
        }),
      send,
    }
  }

  const runTransaction = async <T>(lane: Lane, work: (tx: Tx) => Promise<T>, { begin, deadline }: Span): Promise<T> => {
    const scope = { open: true }
    const talk = talkTo(lane, deadline)
    const tx: Tx = {
      inTransaction: true,
      query: async <R extends object>({ name, text }: Statement, params: readonly Param[]) => {
        if (!scope.open) throw new Error('the transaction has ended')
        const { rows } = await talk.ask({ name, text, values: params.map(toWire) })
        return rows as R[]
      },
    }
    // Awaited only before the commit: the first statements of the transaction travel with it.
    const begun = begin === BEGIN.text ? talk.ask(BEGIN) : control(lane, begin, deadline)
    begun.catch(() => {})
    try {
      const result = await openTransaction.run(scope, () => work(tx))
      scope.open = false
      await begun
      const { command } = await talk.ask(COMMIT)
      if (command === 'ROLLBACK') throw new Error('rolled back instead of committed: a statement had failed')
      return result
    } catch (error) {
      scope.open = false
      // Behind a command of the same message that fails, it would not be carried out.
      void talk.send()
      await control(lane, 'rollback', deadline).catch(lane.retire)
      throw error
    }
  }

  const takeFor = <T>(work: (tx: Tx) => Promise<T>, span: Span): Promise<T> =>
    lanes.take(span.deadline, (lane) => runTransaction(lane, work, span))

  const told = (error: unknown): unknown => {
    if (error instanceof DatabaseUnavailable) tellOutage(error)
    return error
  }

  /** Does again, where it may wait for locks, what was rolled back because it had to. Other errors are passed on. */
  const doPatiently = <T>(error: unknown, work: (tx: Tx) => Promise<T>, deadline: number): Promise<T> => {
    if (!(error instanceof WaitedForLock)) throw told(error)
    // Whenever its wait begins: the server's word that it has ended needs time to arrive, or nobody knows what happened.
    const lockBy = deadline - deadlineMs * (1 - SERVER_SHARE)
    return patience.wait(error.owner, lockBy, () => {
      const serverMs = Math.max(1, Math.floor(lockBy - performance.now()))
      return takeFor(work, { begin: `begin; set local lock_timeout to ${serverMs}`, deadline })
    })
  }

  return {
    lastWithoutRoom: () => lackOfRoom,
    query: async (statement, params) => {
      refuseInsideTransaction()
      const deadline = performance.now() + deadlineMs
      try {
        return await lanes.share(statement.access, deadline, (lane) => send(lane, statement, params, deadline))
      } catch (error) {
        return doPatiently(error, (tx) => tx.query(statement, params), deadline)
      }
    },
    transaction: async (work, options) => {
      refuseInsideTransaction()
      const deadline = performance.now() + (options?.deadlineMs ?? deadlineMs)
      if (options?.deadlineMs !== undefined && givesUpSilent) {
        const serverMs = Math.floor(options.deadlineMs * SERVER_SHARE)
        const begin = `begin; set local statement_timeout to ${serverMs}; set local lock_timeout to ${serverMs}; set local idle_in_transaction_session_timeout to ${serverMs}`
        return takeFor(work, { begin, deadline })
      }
      try {
        return await takeFor(work, { begin: BEGIN.text, deadline })
      } catch (error) {
        if (options?.isPatient === false && error instanceof LockTimeout) throw error
        return doPatiently(error, work, deadline)
      }
    },
    exec: async (sql) => {
      refuseInsideTransaction()
      const deadline = performance.now() + deadlineMs
      await lanes.take(deadline, async (lane) => {
        try {
          await lane.client.query(sql)
        } catch (error) {
          await control(lane, 'rollback', performance.now() + deadlineMs).catch(lane.retire)
          throw told(refused(lane, error, true))
        }
      })
    },
  }
}

/** A statement had to wait for a lock; `owner` is what it names first, which of a tenant's is its application. */
class WaitedForLock extends LockTimeout {
  readonly owner: string
  constructor(owner: string, { message, cause }: LockTimeout) {
    super(message, { cause })
    this.owner = owner
  }
}
