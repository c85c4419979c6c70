import type { Overview } from '@conversation-gateway/sdk/admin'

/** Per second; null where the process that answered was not heard of before. */
export interface Rates {
  readonly admittedPerSecond: number | null
  readonly refusedPerSecond: number | null
}

type Counts = Overview['process']

/** Makes rates of the counters of processes. Behind a load balancer each answer may be another's: each has its own counters. */
export const createRateMeter = (): ((counts: Counts, atMs: number) => Rates) => {
  const known = new Map<string, { admitted: number; refused: number; atMs: number }>()
  return ({ process_id, admitted, refusals }, atMs) => {
    const refused = refusals.reduce((sum, { count }) => sum + count, 0)
    const before = known.get(process_id)
    known.set(process_id, { admitted, refused, atMs })
    if (before === undefined || atMs <= before.atMs) return { admittedPerSecond: null, refusedPerSecond: null }
    const seconds = (atMs - before.atMs) / 1000
    return {
      admittedPerSecond: (admitted - before.admitted) / seconds,
      refusedPerSecond: (refused - before.refused) / seconds,
    }
  }
}
