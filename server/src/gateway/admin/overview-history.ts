import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Found } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type { OverviewHistory as History, OverviewSample } from '@conversation-gateway/openapi/generated/admin-closed'
import { oneAtATime } from '../../runtime/one-at-a-time.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { Queryable } from '../../store/db.ts'
import { readStatistics } from '../../store/maintenance/statistics.ts'
import type { ReadCounts } from './overview.ts'
import { loadAt } from './overview.ts'

/** Samples of the past hour of the gateway, which this process takes and keeps in memory. */
export interface OverviewHistory {
  /** Takes the first sample, and another one after each interval. */
  start(): void
  read(): Promise<Found<History>>
  stop(): void
}

export interface OverviewHistoryOptions {
  readonly db: Queryable
  readonly clock: Clock
  readonly timers: Timers
  readonly processId: string
  readonly readCounts: ReadCounts
}

const INTERVAL_SECONDS = 15
/** An hour; the contract has the same limit. */
const KEPT = 240

export const createOverviewHistory = ({
  db,
  clock,
  timers,
  processId,
  readCounts,
}: OverviewHistoryOptions): OverviewHistory => {
  let samples: readonly OverviewSample[] = []
  const sample = oneAtATime(
    async () => {
      const now = clock.now()
      const [load, { admitted, refusals }] = await Promise.all([readStatistics(db, now), readCounts()])
      const refused = refusals.reduce((sum, { count }) => sum + count, 0)
      samples = [...samples.slice(1 - KEPT), { ...loadAt(now, load), admitted, refused }]
    },
    // A failed sample is skipped: the metrics and the log already report the outage.
    () => {},
  )
  let stopSampling = (): void => {}
  return {
    start: () => {
      void sample()
      stopSampling = timers.every(INTERVAL_SECONDS * 1000, () => void sample())
    },
    read: async () => found({ process_id: processId, interval_seconds: INTERVAL_SECONDS, samples: [...samples] }),
    stop: () => stopSampling(),
  }
}
