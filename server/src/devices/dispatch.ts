import type { ClaimedRun } from '../store/claims.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { WorkerLog } from './ports.ts'
import type { Slots } from './slots.ts'

/** Claims under way at once, each for another device. */
const CLAIMS_AT_ONCE = 4

/** Takes work for devices, in turn, as far as each has free slots. */
export interface Dispatch {
  /** The device may have work. */
  look(deviceId: string): void
  /** There may be free slots again. */
  resume(): void
  /** Resolves when the claims that are under way now have ended. */
  settled(): Promise<void>
  /** Claims nothing any more; resolves when the claims under way have ended. */
  close(): Promise<void>
}

export interface DispatchTools {
  readonly port: ExecutionPort
  readonly slots: Slots
  readonly log: WorkerLog
  readonly claimBatch: number
  start(run: ClaimedRun): void
}

export const createDispatch = ({ port, slots, log, claimBatch, start }: DispatchTools): Dispatch => {
  /** Devices to look at, the one that has waited longest first. */
  const due = new Set<string>()
  const claims = new Map<string, Promise<void>>()
  let closed = false

  const pump = () => {
    for (const deviceId of due) {
      if (closed || claims.size === CLAIMS_AT_ONCE) return
      const limit = Math.min(slots.free(deviceId), claimBatch)
      if (limit === 0 || claims.has(deviceId)) continue
      due.delete(deviceId)
      claims.set(deviceId, claim(deviceId, limit))
    }
  }

  const claim = async (deviceId: string, limit: number): Promise<void> => {
    try {
      const runs = await port.claimWork(deviceId, limit)
      for (const run of runs) start(run)
      // A claim may return less than there is, since runs of one conversation count once: only an empty one says "all".
      if (runs.length > 0) due.add(deviceId)
    } catch (error) {
      log.warn({ device_id: deviceId, err: error }, 'work could not be claimed; the next heartbeat looks again')
    }
    claims.delete(deviceId)
    pump()
  }

  const settled = async () => {
    await Promise.all(claims.values())
  }

  return {
    look: (deviceId) => {
      due.add(deviceId)
      pump()
    },
    resume: pump,
    settled,
    close: async () => {
      closed = true
      await settled()
    },
  }
}
