import type { Timers } from '../runtime/timers.ts'

/**
 * Why an assistant has to stop: on request; because the worker shuts down; or because the run is no longer the
 * worker's, after which nothing more may be written about it.
 */
export type StopReason = 'requested' | 'shutdown' | 'lost'

/** The stop of one run, with what a script may rehearse about it (D-45). */
export interface Stop {
  /** What the assistant sees. */
  readonly signal: AbortSignal
  /** Fires when the run is lost. */
  readonly lost: AbortSignal
  /** Null as long as there is no reason to stop. The first reason stands, unless the run is lost. */
  reason(): StopReason | null
  ask(reason: StopReason): void
  /** From now on a requested stop goes unnoticed. */
  ignoreRequests(): void
  /** How long a later requested stop takes to be confirmed. */
  delayConfirmation(ms: number): void
  /** When a requested stop may be confirmed. */
  confirmable(): Promise<void>
}

export const createStop = ({ after }: Timers): Stop => {
  const stopping = new AbortController()
  const losing = new AbortController()
  let reason: StopReason | null = null
  let ignoresRequests = false
  let delayMs = 0
  let confirmable = Promise.resolve()
  return {
    signal: stopping.signal,
    lost: losing.signal,
    reason: () => reason,
    ask: (asked) => {
      if (reason === 'lost' || (asked !== 'lost' && reason !== null)) return
      if (asked === 'requested') {
        if (ignoresRequests) return
        if (delayMs > 0) confirmable = new Promise((resolve) => void after(delayMs, resolve))
      }
      reason = asked
      stopping.abort()
      if (asked === 'lost') losing.abort()
    },
    ignoreRequests: () => {
      ignoresRequests = true
    },
    delayConfirmation: (ms) => {
      delayMs = ms
    },
    confirmable: () => confirmable,
  }
}
