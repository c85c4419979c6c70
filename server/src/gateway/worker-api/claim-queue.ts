import type { Timers } from '../../runtime/timers.ts'
import type { ClaimedRun } from '../../store/claims.ts'
import type { FreeSlots } from '../../writer/starts.ts'
import type { WakeupBus } from '../wakeups/wakeup-bus.ts'

/**
 * Claims that wait for runs. Those of a device are served one after the other, oldest first. If no run waits for the
 * device, an admission may start its runs for a waiting claim in its own commit, in slots reserved from that claim.
 */
export interface ClaimQueue extends FreeSlots {
  /**
   * Resolves with the runs taken for the claim, or with none when its wait ends otherwise: by timeout, a newer claim,
   * `gone`, `end` or `close`. Null if runs may have been taken for the session anyway; then look them up in the
   * database.
   */
  wait(claim: WaitingClaim): Promise<readonly ClaimedRun[] | null>
  /**
   * Ends the wait of the session's claim. Resolves when no run is being taken for the session any more, with whether
   * one was being taken.
   */
  end(sessionId: string): Promise<boolean>
  /** The device may have runs to start. */
  look(deviceId: string): void
  /** Ends all waits. */
  close(): void
}

export interface WaitingClaim {
  readonly deviceId: string
  readonly sessionId: string
  readonly limit: number
  /** The session's free slots at the time of the claim, at most `limit`. */
  readonly free: number
  readonly waitMs: number
  /** Fires when the client no longer waits. */
  readonly gone: AbortSignal
}

export interface ClaimQueueTools {
  /** Takes runs; null if the session can take none now. For a fresh claim, the number of free slots is known. */
  readonly take: (claim: WaitingClaim, isFresh: boolean) => Promise<readonly ClaimedRun[] | null>
  /** Called for each run that is taken. */
  readonly began: (run: ClaimedRun) => void
  readonly timers: Timers
  readonly wakeups: Pick<WakeupBus, 'onDevice'>
}

interface Waiter {
  readonly claim: WaitingClaim
  isFresh: boolean
  /** Whether the last attempt could take nothing for the session, which may have ended. */
  isUncertain: boolean
  readonly end: (runs: readonly ClaimedRun[] | null) => void
  readonly fail: (error: unknown) => void
}

interface Line {
  readonly waiters: Set<Waiter>
  /** Whether there may be runs that no waiter has looked for. */
  isDue: boolean
  isBusy: boolean
}

/** Maximum sessions offered to one batch, which reads which of them are alive. */
const SESSIONS_OFFERED = 64
const NONE: readonly ClaimedRun[] = []

export const createClaimQueue = ({ take, began, timers, wakeups }: ClaimQueueTools): ClaimQueue => {
  const lines = new Map<string, Line>()
  const bySession = new Map<string, Waiter>()
  /** Pending takes, by session. */
  const taking = new Map<string, Set<Promise<unknown>>>()
  let isClosed = false

  const lineOf = (deviceId: string): Line => {
    const line = lines.get(deviceId) ?? { waiters: new Set(), isDue: false, isBusy: false }
    lines.set(deviceId, line)
    return line
  }

  /** Marks that runs are being taken for a session, until the returned function is called. */
  const trackTaking = (sessionId: string, attempt: Promise<unknown>): (() => void) => {
    const attempts = taking.get(sessionId) ?? new Set()
    taking.set(sessionId, attempts.add(attempt))
    return () => {
      attempts.delete(attempt)
      if (attempts.size === 0) taking.delete(sessionId)
    }
  }

  const look = (deviceId: string): void => {
    const line = lines.get(deviceId)
    if (line === undefined) return
    line.isDue = true
    if (!line.isBusy) void serve(deviceId, line)
  }

  /**
   * Answers a waiter with the runs taken for it. If a newer claim of its session has replaced it, that claim must look
   * them up.
   */
  const answer = (waiter: Waiter, runs: readonly ClaimedRun[]): void => {
    for (const run of runs) began(run)
    const current = bySession.get(waiter.claim.sessionId)
    current?.end(current === waiter ? runs : null)
  }

  const serve = async (deviceId: string, line: Line): Promise<void> => {
    line.isBusy = true
    while (line.isDue && line.waiters.size > 0) {
      line.isDue = false
      for (const waiter of [...line.waiters]) {
        if (!line.waiters.has(waiter)) continue
        const { sessionId } = waiter.claim
        const attempt = take(waiter.claim, waiter.isFresh).catch((error: unknown) => {
          waiter.fail(error)
          return null
        })
        waiter.isFresh = false
        const endTaking = trackTaking(sessionId, attempt)
        const taken = await attempt
        endTaking()
        waiter.isUncertain = taken === null
        if (taken === null) continue
        if (taken.length > 0) {
          answer(waiter, taken)
          line.isDue = true
        }
        break
      }
    }
    line.isBusy = false
    if (line.waiters.size === 0) lines.delete(deviceId)
  }

  /** Ends a wait without runs. */
  const dismiss = (waiter: Waiter): void =>
    waiter.end(waiter.isUncertain || taking.has(waiter.claim.sessionId) ? null : NONE)

  const endWait = (sessionId: string): void => {
    const waiter = bySession.get(sessionId)
    if (waiter !== undefined) dismiss(waiter)
  }

  const isIdle = ({ isBusy, isDue }: Line): boolean => !isBusy && !isDue

  const reserve: ClaimQueue['reserve'] = (deviceId, count, present) => {
    const line = lines.get(deviceId)
    if (line === undefined || !isIdle(line)) return null
    const waiter = [...line.waiters].find(({ claim }) => claim.free >= count && present.includes(claim.sessionId))
    if (waiter === undefined) return null
    const { sessionId } = waiter.claim
    line.waiters.delete(waiter)
    const { promise, resolve } = Promise.withResolvers<void>()
    const endTaking = trackTaking(sessionId, promise)
    return {
      workerId: sessionId,
      settle: (runs, outcome) => {
        endTaking()
        resolve()
        if (outcome === 'committed') answer(waiter, runs)
        // The session's current waiter checks for the runs.
        else if (outcome === 'unknown') bySession.get(sessionId)?.end(null)
        else if (bySession.get(sessionId) === waiter) {
          lineOf(deviceId).waiters.add(waiter)
          look(deviceId)
        }
      },
    }
  }

  const stopListening = wakeups.onDevice(look, () => [...lines.keys()].forEach(look))

  return {
    wait: (claim) =>
      new Promise((resolve, reject) => {
        endWait(claim.sessionId)
        if (isClosed || claim.gone.aborted) return resolve(NONE)
        const leave = (): void => dismiss(waiter)
        const forget = (): void => {
          cancelTimer()
          claim.gone.removeEventListener('abort', leave)
          if (bySession.get(claim.sessionId) === waiter) bySession.delete(claim.sessionId)
          const line = lines.get(claim.deviceId)
          line?.waiters.delete(waiter)
          if (line?.waiters.size === 0 && !line.isBusy) lines.delete(claim.deviceId)
        }
        const waiter: Waiter = {
          claim,
          isFresh: true,
          isUncertain: false,
          end: (runs) => {
            forget()
            resolve(runs)
          },
          fail: (error) => {
            forget()
            reject(error)
          },
        }
        const cancelTimer = timers.after(claim.waitMs, leave)
        claim.gone.addEventListener('abort', leave, { once: true })
        lineOf(claim.deviceId).waiters.add(waiter)
        bySession.set(claim.sessionId, waiter)
        look(claim.deviceId)
      }),
    end: async (sessionId) => {
      endWait(sessionId)
      const attempts = taking.get(sessionId)
      if (attempts === undefined) return false
      await Promise.all(attempts)
      return true
    },
    look,
    workerIds: () => {
      const offered: string[] = []
      for (const line of lines.values()) {
        if (offered.length === SESSIONS_OFFERED) break
        const waiter = isIdle(line) ? [...line.waiters].find(({ claim }) => claim.free > 0) : undefined
        if (waiter !== undefined) offered.push(waiter.claim.sessionId)
      }
      return offered
    },
    reserve,
    close: () => {
      isClosed = true
      stopListening()
      for (const waiter of [...bySession.values()]) dismiss(waiter)
    },
  }
}
