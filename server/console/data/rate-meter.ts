/** Rates per second; null at the first answer of a process. */
export interface Rates {
  readonly admittedPerSecond: number | null
  readonly refusedPerSecond: number | null
}

/** The admissions and refusals of a process since it started. */
export interface Counts {
  readonly processId: string
  readonly admitted: number
  readonly refused: number
}

/** Computes rates from the counters of processes. Behind a load balancer, each answer may come from another process. */
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
