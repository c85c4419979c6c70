import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { oneAtATime } from '../runtime/one-at-a-time.ts'
import type { Timers } from '../runtime/timers.ts'
import type { Db } from '../store/db.ts'
import type { ProcessService } from '../store/maintenance/processes.ts'
import { beatProcess, removeProcess } from '../store/maintenance/processes.ts'

/** This process's heartbeat. The process holds its streams and runs as long as it sends heartbeats (D-60). */
export interface Presence {
  /** Starts the heartbeat. Resolves after the first beat, whether it succeeded or not. */
  start(): Promise<void>
  /**
   * Whether this process can detect which other processes are dead. For one lease after this process was paused, or the
   * database was unavailable, it cannot: the other processes could not send heartbeats either, and need time to do so.
   */
  canJudge(): boolean
  /** Stops the heartbeat and releases at once everything that the process holds. */
  stop(): Promise<void>
}

export interface PresenceOptions extends ProcessService {
  readonly db: Db
  readonly clock: Clock
  readonly timers: Timers
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  readonly processId: string
  /** Interval between beats, in milliseconds: well below a third of a lease. */
  readonly beatMs: number
  /** How long after its last beat a process is considered dead, in milliseconds. */
  readonly leaseMs: number
  readonly onError: (error: unknown) => void
}

export const createPresence = (options: PresenceOptions): Presence => {
  const { db, clock, timers, elapsedMs, processId, runSlots, deviceIds, beatMs, leaseMs, onError } = options
  let beatenAt = elapsedMs()
  let judgesFrom = beatenAt
  let stopped = false

  const beat = oneAtATime(async () => {
    if (stopped) return
    const begunAt = elapsedMs()
    const expiresAt = new Date(clock.now().getTime() + leaseMs)
    await beatProcess(db, { processId, expiresAt, runSlots, deviceIds })
    if (begunAt - beatenAt > leaseMs) judgesFrom = begunAt + leaseMs
    beatenAt = begunAt
  }, onError)
  let stopBeating = (): void => {}

  return {
    start: () => {
      stopBeating = timers.every(beatMs, () => void beat())
      return beat()
    },
    canJudge: () => {
      const now = elapsedMs()
      return now >= judgesFrom && now - beatenAt <= leaseMs
    },
    stop: async () => {
      stopped = true
      stopBeating()
      // A pending beat would write the row again.
      await beat()
      await removeProcess(db, processId).catch(onError)
    },
  }
}
