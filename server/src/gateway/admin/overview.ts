import { firstIdOf } from '@conversation-gateway/openapi/behaviour/ids'
import type { Found } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Overview } from '@conversation-gateway/openapi/generated/admin-closed'
import { readDeviceLoads, readWorkOverview } from '../../store/admin/overview.ts'
import type { Statistics } from '../../store/maintenance/statistics.ts'
import { readStatistics } from '../../store/maintenance/statistics.ts'
import type { GatewayContext } from '../context.ts'
import { isOnline } from './records.ts'

/** The counters of the answering process. */
export interface ProcessReadings {
  readonly processId: string
  readonly startedAt: Date
  readonly readCounts: ReadCounts
}

/** Reads what the process has admitted and refused since it started. */
export type ReadCounts = () => Promise<{
  readonly admitted: number
  readonly replayed: number
  readonly refusals: readonly { readonly code: string; readonly count: number }[]
}>

const WINDOW_SECONDS = 300
const DEVICES_SHOWN = 100
const REFUSALS_SHOWN = 100

/** The gateway as a whole at this moment, and what the answering process has admitted and refused. */
export const getOverview = async (
  { db, clock, settings }: GatewayContext,
  { processId, startedAt, readCounts }: ProcessReadings,
): Promise<Found<Overview>> => {
  const now = clock.now()
  const since = new Date(now.getTime() - WINDOW_SECONDS * 1000)
  const [load, work, devices, { admitted, replayed, refusals }] = await Promise.all([
    readStatistics(db, now),
    readWorkOverview(db, since, firstIdOf('run', since)),
    readDeviceLoads(db, now, DEVICES_SHOWN),
    readCounts(),
  ])
  return found({
    ...loadAt(now, load),
    admission_paused: load.admissionPaused,
    recent: { window_seconds: WINDOW_SECONDS, admitted: work.admitted, ...NONE_ENDED, ...work.ended },
    approvals_pending: work.approvalsPending,
    devices: devices.map((device) => ({
      device_id: device.deviceId,
      name: device.name,
      state: device.state,
      online: isOnline(device.heartbeatAt, now, settings),
      last_seen_at: device.heartbeatAt?.toISOString() ?? null,
      queued: device.queued,
      executing: device.executing,
      waiting_approval: device.waitingApproval,
      run_slots: device.runSlots,
    })),
    process: {
      process_id: processId,
      started_at: startedAt.toISOString(),
      admitted,
      replayed,
      refusals: refusals.slice(0, REFUSALS_SHOWN),
    },
  })
}

/** The work of the gateway as a whole, as overviews and their history show it. */
export const loadAt = (now: Date, { runsByState, oldestQueuedAt, openStreams, deliveriesByState }: Statistics) => ({
  at: now.toISOString(),
  runs: { ...NO_RUNS, ...runsByState },
  oldest_queued_seconds: oldestQueuedAt === null ? null : Math.max(0, now.getTime() - oldestQueuedAt.getTime()) / 1000,
  open_streams: openStreams,
  deliveries: { ...NO_DELIVERIES, ...deliveriesByState },
})

const NO_RUNS = { queued: 0, running: 0, waiting_approval: 0, cancelling: 0, reconciling: 0 }
const NONE_ENDED = { succeeded: 0, failed: 0, cancelled: 0, interrupted: 0, expired: 0 }
const NO_DELIVERIES = { pending: 0, sending: 0, needs_action: 0, expired: 0, cancelled_config_changed: 0 }
