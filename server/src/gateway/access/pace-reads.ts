import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { type Refusal, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Timers } from '../../runtime/timers.ts'
import { createAppQueue } from './app-queue.ts'
import type { Senders } from './senders.ts'

/**
 * Performs what reads for an application when its turn has come. Refused (RATE_LIMITED) when too much of the application
 * waits already, or it has waited for too long.
 */
export type ReadAtPace = <Result>(appId: string, read: Read<Result>) => Promise<Result | Refusal>

export interface Read<Result> {
  readonly perform: () => Promise<Result>
  /** Whether it has turned out to be a large one. */
  readonly isLarge: (result: Result) => boolean
}

export interface ReadPaceOptions {
  readonly senders: Senders
  /** How long one may wait, in milliseconds. */
  readonly waitMs: number
  readonly clock: Clock
  readonly timers: Pick<Timers, 'after'>
}

/** For how many times as long as a large read took none follows. */
const REST = 2
const REST_AT_MOST_MS = 1000
/** As many as requests of one application that wait for their turn. */
const WAITING_AT_MOST = 500

/**
 * Keeps an application that reads much from keeping the only connection of a database to itself: beside others, what it
 * asks for after a large read is read one at a time, and after each large one nothing for a while. How large a read is, is
 * known when it has ended; so the first ones come as they are asked for, as all do where an application is alone.
 */
export const createReadAtPace = ({ senders, waitMs, clock, timers }: ReadPaceOptions): ReadAtPace => {
  const queue = createAppQueue({ waitingAtMost: WAITING_AT_MOST, waitMs, timers })

  return async (appId, { perform, isLarge }) => {
    const turn = queue.isHeld(appId) && !senders.isAlone(appId) ? await queue.turn(appId) : undefined
    if (turn === null) return TOO_MANY
    const begunAt = clock.now().getTime()
    try {
      const result = await perform()
      if (isLarge(result) && !senders.isAlone(appId)) {
        const restMs = Math.min(REST * (clock.now().getTime() - begunAt), REST_AT_MOST_MS)
        timers.after(restMs, queue.hold(appId))
      }
      return result
    } finally {
      turn?.()
    }
  }
}

const TOO_MANY = refuse('RATE_LIMITED', 'Too many reads of this application wait behind its large ones.', {
  retryAfterSeconds: 1,
})
