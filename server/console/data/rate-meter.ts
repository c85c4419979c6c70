/** Per second; null where the process that answered was not heard of before. */
export interface Rates {
  readonly admittedPerSecond: number | null
  readonly refusedPerSecond: number | null
}

/** What a process has admitted and refused since it started. */
export interface Counts {
  readonly processId: string
  readonly admitted: number
  readonly refused: number
}

/** Makes rates of the counters of processes. Behind a load balancer each answer may be another's: each has its own counters. */
export const createRateMeter = (): ((counts: Counts, atMs: number) => Rates) => {
  const known = new Map<string, { admitted: number; refused: number; atMs: number }>()
  return ({ processId, admitted, refused }, atMs) => {
    const before = known.get(processId)
    known.set(processId, { admitted, refused, atMs })
    if (before === undefined || atMs <= before.atMs) return { admittedPerSecond: null, refusedPerSecond: null }
    const seconds = (atMs - before.atMs) / 1000
    return {
      admittedPerSecond: (admitted - before.admitted) / seconds,
      refusedPerSecond: (refused - before.refused) / seconds,
    }
  }
}
