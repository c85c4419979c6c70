/**
 * Adapts timeouts. After long enough waits for the same thing without success, all checks wait for it only briefly, so that one
 * unresponsive operation does not cost its whole timeout in each check.
 */
export interface Patience {
  /** Begins a wait for something: `the answer to Get a run`. @param fullMs how long it is waited for at first. */
  begin(what: string, fullMs: number): PatientWait
}

export interface PatientWait {
  /** How long to wait, in milliseconds. */
  readonly limitMs: number
  /** It has arrived. */
  came(): void
  /** It has not arrived within the limit. */
  missed(): void
}

/** Total time of unsuccessful waits for one thing, over all checks. */
const BUDGET_MS = 20_000
/** Something that arrived at least once is only slow sometimes. */
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
