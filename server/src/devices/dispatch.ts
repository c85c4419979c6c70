import type { WorkerLog } from '../runtime/log.ts'
import type { ClaimedRun } from '../store/claims.ts'
import type { SlotReservation } from '../writer/starts.ts'
import type { ExecutionPort } from './execution-port.ts'
import type { WorkerSettings } from './settings.ts'

/** Maximum concurrent claims, each for a different device. */
const CLAIMS_AT_ONCE = 4

/** Claims work for devices, round robin, as far as each has free slots. */
export interface Dispatch {
  /** Polls for work of the device as soon as it has free slots. */
  poll(deviceId: string): void
  /** Continues to claim, because slots may be free again. */
  resume(): void
  /** Whether the device has free slots and no run that may wait for them. */
  hasFree(deviceId: string): boolean
  /** Reserves slots for runs that are being admitted; null if too few are free, or if `hasFree` is false. */
  reserve(deviceId: string, count: number): Pick<SlotReservation, 'settle'> | null
  /** Resolves when the current claims have ended. */
  settled(): Promise<void>
  /** Stops claiming; resolves when the current claims have ended. */
  close(): Promise<void>
}

export interface DispatchTools {
  readonly port: ExecutionPort
  readonly slots: Slots
  readonly log: WorkerLog
  readonly claimBatch: number
  start(run: ClaimedRun): void
  /** The runs among these that belong to this worker. */
  findOwn(runs: readonly ClaimedRun[]): Promise<readonly ClaimedRun[]>
}

export const createDispatch = ({ port, slots, log, claimBatch, start, findOwn }: DispatchTools): Dispatch => {
  /** Devices to poll, the longest waiting first. */
  const due = new Set<string>()
  const claims = new Map<string, Promise<void>>()
  const admissions = new Set<Promise<void>>()
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
      // A claim may return fewer runs than are queued, because it takes at most one run of each conversation. Only an
      // empty claim means that no run is left.
      if (runs.length > 0) due.add(deviceId)
    } catch (error) {
      log.warn({ device_id: deviceId, err: error }, 'work could not be claimed; the next heartbeat tries again')
    }
    claims.delete(deviceId)
    pump()
  }

  const hasFree = (deviceId: string): boolean =>
    !closed && !due.has(deviceId) && !claims.has(deviceId) && slots.free(deviceId) > 0

  const reserve: Dispatch['reserve'] = (deviceId, count) => {
    if (!hasFree(deviceId) || slots.free(deviceId) < count) return null
    for (let reserved = 0; reserved < count; reserved += 1) slots.take(deviceId)
    const { promise, resolve } = Promise.withResolvers<void>()
    admissions.add(promise)
    const take = (runs: readonly ClaimedRun[]): void => {
      for (let reserved = 0; reserved < count; reserved += 1) slots.giveBack(deviceId)
      for (const run of runs) start(run)
      admissions.delete(promise)
      resolve()
      pump()
    }
    return {
      settle: (runs, outcome) => {
        if (outcome === 'unknown') void findOwn(runs).then(take)
        else take(outcome === 'committed' ? runs : [])
      },
    }
  }

  const settled = async () => {
    await Promise.all([...claims.values(), ...admissions])
  }

  return {
    poll: (deviceId) => {
      due.add(deviceId)
      pump()
    },
    resume: pump,
    hasFree,
    reserve,
    settled,
    close: async () => {
      closed = true
      await settled()
    },
  }
}

/** The slots of a worker, separate for each of its devices. */
export interface Slots {
  /** Number of runs that can be taken for the device. */
  free(deviceId: string): number
  /** Counts a run that is taken for the device. */
  take(deviceId: string): void
  giveBack(deviceId: string): void
  /**
   * Frees the slot of a run that waits for an approval. The run resumes later even without a free slot.
   */
  pause(deviceId: string): void
  resume(deviceId: string): void
}

interface Counts {
  held: number
  paused: number
}

export const createSlots = ({
  runConcurrency,
  heldRuns,
}: Pick<WorkerSettings, 'runConcurrency' | 'heldRuns'>): Slots => {
  const devices = new Map<string, Counts>()
  const add = (deviceId: string, held: number, paused: number): void => {
    const counts = devices.get(deviceId) ?? { held: 0, paused: 0 }
    counts.held += held
    counts.paused += paused
    if (counts.held === 0) devices.delete(deviceId)
    else devices.set(deviceId, counts)
  }
  return {
    free: (deviceId) => {
      const { held, paused } = devices.get(deviceId) ?? { held: 0, paused: 0 }
      return Math.max(0, Math.min(runConcurrency - (held - paused), heldRuns - held))
    },
    take: (deviceId) => add(deviceId, 1, 0),
    giveBack: (deviceId) => add(deviceId, -1, 0),
    pause: (deviceId) => add(deviceId, 0, 1),
    resume: (deviceId) => add(deviceId, 0, -1),
  }
}
