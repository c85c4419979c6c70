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

export interface ObservedGateway {
  readonly db: Db
  readonly clock: Clock
  readonly roles: ReadonlySet<Role>
  /** Whether a role does its work at this moment. */
  readonly isRunning: (role: Role) => boolean
  /** How many runs the process still executes before it ends; null as long as it was not asked to. */
  readonly drainingRuns: () => number | null
  /** How long the newest events took to this process's subscribers. */
  readonly eventLagMs: () => number
  /** How far this machine's clock is ahead of the database's; null where they are one. */
  readonly clockOffsetSeconds: () => number | null
  /** How many lines the log could not take. */
  readonly droppedLogLines: () => number
}

/** What a process tells whoever operates it; each within two seconds, whatever the database does. */
export interface Observation {
  readonly metrics: Metrics
  readonly readReadiness: () => Promise<Readiness>
}

/** How long the gauges of a scrape may take to be read. */
const GAUGES_WITHIN_MS = 1500

export const observeGateway = (gateway: ObservedGateway): Observation => {
  const { db, clock, roles, isRunning, drainingRuns, eventLagMs, clockOffsetSeconds, droppedLogLines } = gateway
  const readDatabaseState = createDatabaseState(db, clock)
  return {
    metrics: createMetrics({
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
    }),
    readReadiness: async () => {
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
    },
  }
}

/** What an accepted request survives, by store (D-52). */
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
