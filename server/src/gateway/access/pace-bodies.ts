import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { type Refusal, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Timers } from '../../runtime/timers.ts'
import { createAppQueue } from './app-queue.ts'
import type { Senders } from './senders.ts'

/**
 * Resolves when a large body of the application may be dealt with, with what says that it has been. Refused
 * (RATE_LIMITED) when too many wait already, or it has waited for too long.
 */
export type AtPace = (appId: string) => Promise<(() => void) | Refusal>

export interface PaceOptions {
  readonly senders: Senders
  /** For how many times as long as a body took none follows. Default 2. */
  readonly rest?: number
  /** Bodies of one application that wait. Default 32. */
  readonly waitingAtMost?: number
  /** How long one may wait, in milliseconds. */
  readonly waitMs: number
  /**
   * The longest rest, in milliseconds. Default 1000: what a body has waited for in the database is not computing time.
   */
  readonly restAtMostMs?: number
  readonly clock: Clock
  readonly timers: Pick<Timers, 'after'>
}

/**
 * Keeps one application's large bodies, which only computing time can read, from taking all of it, since a process has
 * one thread for all: beside others one is dealt with at a time, and then none for a while. Alone it is not held up.
 */
export const createAtPace = ({
  senders,
  rest = 2,
  waitingAtMost = 32,
  waitMs,
  restAtMostMs = 1000,
  clock,
  timers,
}: PaceOptions): AtPace => {
  /** Of applications that have a body under way or rest from it. */
  const queue = createAppQueue({ waitingAtMost, waitMs, timers })

  return async (appId) => {
    senders.see(appId)
    if (!queue.isHeld(appId) && senders.isAlone(appId)) return () => {}
    const letGo = await queue.turn(appId)
    if (letGo === null) return TOO_MANY
    const begunAt = clock.now().getTime()
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      timers.after(Math.min(rest * (clock.now().getTime() - begunAt), restAtMostMs), letGo)
    }
  }
}

const TOO_MANY = refuse('RATE_LIMITED', 'Too many large bodies of this application are waiting to be read.', {
  retryAfterSeconds: 1,
})
