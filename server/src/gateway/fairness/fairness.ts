import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { type Refusal, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Timers } from '../../runtime/timers.ts'
import type { Senders } from './senders.ts'
import { createTurns } from './turns.ts'

/**
 * Limits how much a busy application delays the others in the same process. It never waits while it is the only sender;
 * otherwise (see `Turns`):
 *
 * | sent by it         | shared resource              | at once           | pause afterwards               |
 * | ------------------ | ---------------------------- | ----------------- | ------------------------------ |
 * | requests           | every queue of the process   | 8                 | none                           |
 * | large bodies       | the thread that reads them   | 1                 | twice its time, at most 1 s    |
 * | large reads        | the only database connection | 1 after the first | twice its time, at most 1 s    |
 * | large changes      | the only database connection | 1                 | twice its time, at most 5 s    |
 *
 * Work that waits too long, or behind too much other work, is refused (RATE_LIMITED). `createPacedWriter` paces the
 * changes; there, it fails with DatabaseUnavailable.
 */
export interface FairnessOptions {
  readonly senders: Senders
  /** Maximum wait, in milliseconds. */
  readonly waitMs: number
  readonly timers: Pick<Timers, 'after'>
}

/** Performs a request when it is its application's turn. */
export type InTurn = <Result>(appId: string, perform: () => Promise<Result>) => Promise<Result | Refusal>

export const createInTurn = ({
  atOnce = 8,
  waitingAtMost = 500,
  ...options
}: FairnessOptions & { readonly atOnce?: number; readonly waitingAtMost?: number }): InTurn => {
  const turns = createTurns({ ...options, atOnce, waitingAtMost })
  return async (appId, perform) => {
    options.senders.see(appId)
    const turn = turns.take(appId)
    const end = turn instanceof Promise ? await turn : turn
    if (end === null) return TOO_MANY_REQUESTS
    try {
      return await perform()
    } finally {
      end()
    }
  }
}

/**
 * Resolves when a large body of the application may be processed, with a function to call afterwards. Resolves with a
 * refusal if too many bodies wait, or this one has waited too long.
 */
export type AtPace = (appId: string) => Promise<(() => void) | Refusal>

export const createAtPace = ({
  waitingAtMost = 32,
  clock,
  ...options
}: FairnessOptions & { readonly waitingAtMost?: number; readonly clock: Clock }): AtPace => {
  const turns = createTurns({ ...options, atOnce: 1, waitingAtMost })
  return async (appId) => {
    options.senders.see(appId)
    const end = await turns.take(appId)
    if (end === null) return TOO_MANY_BODIES
    const begunAt = clock.now().getTime()
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      turns.rest(appId, clock.now().getTime() - begunAt)
      end()
    }
  }
}

/** Performs a read when it is its application's turn. */
export type ReadAtPace = <Result>(appId: string, read: Read<Result>) => Promise<Result | Refusal>

export interface Read<Result> {
  readonly perform: () => Promise<Result>
  /** Whether the read was a large one. */
  readonly isLarge: (result: Result) => boolean
}

/** The size of a read is known only when it has ended, so only reads after a large one take turns. */
export const createReadAtPace = ({ clock, ...options }: FairnessOptions & { readonly clock: Clock }): ReadAtPace => {
  const turns = createTurns({ ...options, atOnce: 1, waitingAtMost: 500 })
  return async (appId, { perform, isLarge }) => {
    const end = turns.isHeld(appId) ? await turns.take(appId) : undefined
    if (end === null) return TOO_MANY_READS
    const begunAt = clock.now().getTime()
    try {
      const result = await perform()
      if (isLarge(result)) turns.rest(appId, clock.now().getTime() - begunAt)
      return result
    } finally {
      end?.()
    }
  }
}

const tooMany = (detail: string): Refusal => refuse('RATE_LIMITED', detail, { retryAfterSeconds: 1 })

const TOO_MANY_REQUESTS = tooMany('Too many requests of this application are waiting.')
const TOO_MANY_BODIES = tooMany('Too many large bodies of this application are waiting to be read.')
const TOO_MANY_READS = tooMany('Too many reads of this application wait behind its large ones.')
