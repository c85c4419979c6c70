import type { Timers } from '../../runtime/timers.ts'
import type { WakeupBus } from '../wakeups/wakeup-bus.ts'

/** Claims that wait for runs: those of a device are served one after the other, the oldest first. */
export interface ClaimQueue {
  /** Resolves when runs were taken for the session, or when the wait is over: because of its time, a newer claim, or the end of `gone`. */
  wait(claim: WaitingClaim): Promise<void>
  /** Ends the wait of the session's claim. Resolves when nothing is being taken for it any more. */
  end(sessionId: string): Promise<void>
  /** The device may have runs to start. */
  look(deviceId: string): void
  /** Ends all waits. */
  close(): void
}

export interface WaitingClaim {
  readonly deviceId: string
  readonly sessionId: string
  readonly limit: number
  readonly waitMs: number
  /** Fires when nobody waits for the answer any more. */
  readonly gone: AbortSignal
}

export interface ClaimQueueTools {
  /** Takes runs and returns how many; null where the session can take none now. */
  readonly take: (claim: WaitingClaim) => Promise<number | null>
  readonly timers: Timers
  readonly wakeups: Pick<WakeupBus, 'onDevice'>
}

interface Waiter {
  readonly claim: WaitingClaim
  readonly end: (error?: unknown) => void
}

interface Line {
  readonly waiters: Set<Waiter>
  /** Whether there may be runs that no waiter has asked for. */
  isDue: boolean
  isBusy: boolean
}

export const createClaimQueue = ({ take, timers, wakeups }: ClaimQueueTools): ClaimQueue => {
  const lines = new Map<string, Line>()
  const bySession = new Map<string, Waiter>()
  const taking = new Map<string, Promise<unknown>>()
  let isClosed = false

  const look = (deviceId: string): void => {
    const line = lines.get(deviceId)
    if (line === undefined) return
    line.isDue = true
    if (!line.isBusy) void serve(deviceId, line)
  }

  const serve = async (deviceId: string, line: Line): Promise<void> => {
    line.isBusy = true
    while (line.isDue && line.waiters.size > 0) {
      line.isDue = false
      for (const waiter of [...line.waiters]) {
        if (!line.waiters.has(waiter)) continue
        const { sessionId } = waiter.claim
        const attempt = take(waiter.claim).catch((error: unknown) => {
          waiter.end(error)
          return null
        })
        taking.set(sessionId, attempt)
        const taken = await attempt
        taking.delete(sessionId)
        if (taken === null) continue
        if (taken > 0) {
          // A newer claim of the session may have taken the place of this one meanwhile: the runs are for it.
          bySession.get(sessionId)?.end()
          line.isDue = true
        }
        break
      }
    }
    line.isBusy = false
    if (line.waiters.size === 0) lines.delete(deviceId)
  }

  const stopListening = wakeups.onDevice(look, () => [...lines.keys()].forEach(look))

  return {
    wait: (claim) =>
      new Promise((resolve, reject) => {
        bySession.get(claim.sessionId)?.end()
        if (isClosed || claim.gone.aborted) return resolve()
        const line = lines.get(claim.deviceId) ?? { waiters: new Set(), isDue: false, isBusy: false }
        lines.set(claim.deviceId, line)
        const leave = (): void => waiter.end()
        const waiter: Waiter = {
          claim,
          end: (error) => {
            cancelTimer()
            claim.gone.removeEventListener('abort', leave)
            line.waiters.delete(waiter)
            if (bySession.get(claim.sessionId) === waiter) bySession.delete(claim.sessionId)
            if (line.waiters.size === 0 && !line.isBusy) lines.delete(claim.deviceId)
            if (error === undefined) resolve()
            else reject(error)
          },
        }
        const cancelTimer = timers.after(claim.waitMs, leave)
        claim.gone.addEventListener('abort', leave, { once: true })
        line.waiters.add(waiter)
        bySession.set(claim.sessionId, waiter)
        look(claim.deviceId)
      }),
    end: async (sessionId) => {
      bySession.get(sessionId)?.end()
      await taking.get(sessionId)
    },
    look,
    close: () => {
      isClosed = true
      stopListening()
      for (const waiter of [...bySession.values()]) waiter.end()
    },
  }
}
