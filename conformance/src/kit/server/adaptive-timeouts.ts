/**
 * Shortens, for all checks, the timeout of waits for something whose unsuccessful waits have lasted 20 s in total.
 * Otherwise one unresponsive operation would cost its full timeout in each check.
 */
export interface AdaptiveTimeouts {
  /** Begins a wait for something: `the answer to Get a run`. @param fullMs the timeout of the first waits. */
  begin(what: string, fullMs: number): TimedWait
}

export interface TimedWait {
  /** The timeout, in milliseconds. */
  readonly limitMs: number
  /** Reports that it arrived. */
  succeeded(): void
  /** Reports that it did not arrive within the timeout. */
  timedOut(): void
}

/** Total time of unsuccessful waits for one thing, over all checks, before its timeout is shortened. */
const BUDGET_MS = 20_000
/** Something that has arrived before may only be slow, so it gets more time. */
const SHORTENED_MS = { seenBefore: 5000, neverSeen: 1000 } as const

interface History {
  unsuccessfulMs: number
  /** Waits at the same time are counted once. */
  countedUntil: number
  hasArrived: boolean
}

export function createAdaptiveTimeouts(now: () => number = () => performance.now()): AdaptiveTimeouts {
  const histories = new Map<string, History>()
  return {
    begin: (what, fullMs) => {
      const history = histories.get(what) ?? { unsuccessfulMs: 0, countedUntil: 0, hasArrived: false }
      histories.set(what, history)
      const startedAt = now()
      const shortenedMs = history.hasArrived ? SHORTENED_MS.seenBefore : SHORTENED_MS.neverSeen
      return {
        limitMs: history.unsuccessfulMs < BUDGET_MS ? fullMs : Math.min(fullMs, shortenedMs),
        succeeded: () => {
          history.hasArrived = true
        },
        timedOut: () => {
          history.unsuccessfulMs += Math.max(0, now() - Math.max(startedAt, history.countedUntil))
          history.countedUntil = now()
        },
      }
    },
  }
}
