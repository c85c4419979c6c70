import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { askBriefly } from '../../gateway/database/ask-briefly.ts'
import { createDatabaseState } from '../../gateway/database/database-state.ts'
import type { Metrics } from '../../http/metrics.ts'
import { createMetrics } from '../../http/metrics.ts'
import type { Readiness } from '../../http/probes.ts'
import { VERSION } from '../../runtime/version.ts'
import type { Db } from '../../store/db.ts'
import { readStatistics } from '../../store/maintenance/statistics.ts'
import type { Role } from '../settings/settings.ts'

export interface ObservedProcess {
  readonly db: Db
  readonly clock: Clock
  /** Latency of the newest events to this process's subscribers. */
  readonly eventLagMs: () => number
  /** How far this machine's clock is ahead of the database's; null if the database uses this machine's clock. */
  readonly clockOffsetSeconds: () => number | null
  /** Number of dropped log lines. */
  readonly droppedLogLines: () => number
}

/** Timeout for reading the gauges of a scrape. */
const GAUGES_WITHIN_MS = 1500

/** The metrics of a process; a scrape is answered within two seconds, whatever the database does. */
export const createProcessMetrics = (observed: ObservedProcess): Metrics => {
  const { db, clock, eventLagMs, clockOffsetSeconds, droppedLogLines } = observed
  return createMetrics({
    version: VERSION,
    process: true,
    readGauges: askBriefly(async () => {
      const now = clock.now()
      const before = performance.now()
      const { oldestQueuedAt, ...statistics } = await readStatistics(db, now)
      return {
        ...statistics,
        oldestQueuedSeconds: oldestQueuedAt === null ? 0 : (now.getTime() - oldestQueuedAt.getTime()) / 1000,
        eventLagSeconds: eventLagMs() / 1000,
        databaseSeconds: (performance.now() - before) / 1000,
      }
    }, GAUGES_WITHIN_MS),
    readClockOffset: clockOffsetSeconds,
    readTotals: () => ({ droppedLogLines: droppedLogLines(), lostListeners: db.lostListeners() }),
  })
}

export interface ReadinessSource {
  readonly db: Db
  readonly clock: Clock
  readonly roles: ReadonlySet<Role>
  /** Whether a role is working at this moment. */
  readonly isRunning: (role: Role) => boolean
  /** How many runs the process still executes before it ends; null unless it is draining. */
  readonly drainingRuns: () => number | null
}

/** Reads whether a process is ready, within two seconds, whatever the database does. */
export const createReadReadiness = (source: ReadinessSource): (() => Promise<Readiness>) => {
  const { db, clock, roles, isRunning, drainingRuns } = source
  const readDatabaseState = createDatabaseState(db, clock)
  return async () => {
    const state = await readDatabaseState()
    const runs = drainingRuns()
    const running = Object.fromEntries([...roles].map((role) => [role, isRunning(role)]))
    return {
      ready: state.takesWrites && Object.values(running).every(Boolean),
      ...STORES[db.kind],
      database: state.takesWrites,
      ...(state.takesWrites ? { admission: state.admissionPaused ? 'paused' : 'open' } : { reason: state.reason }),
      roles: running,
      ...(runs === null ? {} : { draining: { runs } }),
    }
  }
}

/** The durability of an accepted request, by store (D-52). */
export const STORES = {
  postgres: {
    store: 'postgresql',
    durability: 'An accepted request is committed with the durability that this PostgreSQL server is configured for.',
  },
  embedded: {
    store: 'embedded',
    durability:
      'An accepted request survives the death of the process at any moment, but not a power loss: this engine never flushes to the disk.',
  },
} as const
