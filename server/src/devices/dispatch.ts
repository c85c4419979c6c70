import type { ClaimedRun } from '../store/runs.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { WorkerLog } from './ports.ts'

/** Claims under way at once, each for another device. */
const CLAIMS_AT_ONCE = 4

/** Takes work for devices, in turn, as far as there is room for it. */
export interface Dispatch {
  /** The device may have work. */
  look(deviceId: string): void
  /** There may be room again. */
  resume(): void
  /** Claims nothing any more; resolves when the claims under way have ended. */
  close(): Promise<void>
}

export interface DispatchTools {
  readonly port: ExecutionPort
  readonly log: WorkerLog
  readonly claimBatch: number
  /** How many more runs can be taken in hand. */
  room(): number
  start(run: ClaimedRun): void
}

export const createDispatch = ({ port, log, claimBatch, room, start }: DispatchTools): Dispatch => {
  /** Devices to look at, the one that has waited longest first. */
  const due = new Set<string>()
  const claims = new Map<string, Promise<void>>()
  let reserved = 0
  let closed = false

  const nextDue = (): string | undefined => {
    for (const deviceId of due) if (!claims.has(deviceId)) return deviceId
    return undefined
  }

  const pump = () => {
    while (!closed && claims.size < CLAIMS_AT_ONCE) {
      const limit = Math.min(room() - reserved, claimBatch)
      const deviceId = limit > 0 ? nextDue() : undefined
      if (deviceId === undefined) return
      due.delete(deviceId)
      reserved += limit
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
      log.warn({ deviceId, err: error }, 'work could not be claimed; the next heartbeat looks again')
    }
    reserved -= limit
    claims.delete(deviceId)
    pump()
  }

  return {
    look: (deviceId) => {
      due.add(deviceId)
      pump()
    },
    resume: pump,
    close: async () => {
      closed = true
      await Promise.all(claims.values())
    },
  }
}
