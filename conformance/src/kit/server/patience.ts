/**
 * How long the suite waits for something that keeps silent. What has been waited for in vain for long enough is waited for
 * only briefly from then on, in all checks, so that one silent operation does not cost its whole deadline in each of them.
 */
export interface Patience {
  /** Begins a wait for something: `the answer to Get a run`. @param fullMs how long it is waited for at first. */
  begin(what: string, fullMs: number): PatientWait
}

export interface PatientWait {
  /** How long to wait, in milliseconds. */
  readonly limitMs: number
  /** It has come. */
  came(): void
  /** It has not come within the limit. */
  missed(): void
}

/** So long something may be waited for in vain, over all checks together. */
const BUDGET_MS = 20_000
/** What came at least once is only slow now and then. */
const BRIEF_MS = { seenBefore: 5000, neverSeen: 1000 } as const

interface Silence {
  spentMs: number
  /** Waits at the same time are counted once. */
  countedUntil: number
  hasCome: boolean
}

export function createPatience(now: () => number = () => performance.now()): Patience {
  const silences = new Map<string, Silence>()
  const silenceOf = (what: string): Silence => {
    const known = silences.get(what) ?? { spentMs: 0, countedUntil: 0, hasCome: false }
    silences.set(what, known)
    return known
  }
  return {
    begin: (what, fullMs) => {
      const silence = silenceOf(what)
      const startedAt = now()
      const briefMs = silence.hasCome ? BRIEF_MS.seenBefore : BRIEF_MS.neverSeen
      return {
        limitMs: silence.spentMs < BUDGET_MS ? fullMs : Math.min(fullMs, briefMs),
        came: () => {
          silence.hasCome = true
        },
        missed: () => {
          silence.spentMs += Math.max(0, now() - Math.max(startedAt, silence.countedUntil))
          silence.countedUntil = now()
        },
      }
    },
  }
}
