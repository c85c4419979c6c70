import type { AssistantSource } from '../assistants/assistant.ts'
import { createPersist } from '../gateway/database/persist.ts'
import type { RunRef } from '../gateway/execution.ts'
import type { Tracing } from '../gateway/tracing.ts'
import { NO_TRACING } from '../gateway/tracing.ts'
import type { StopListening, WakeupBus } from '../gateway/wakeups/wakeup-bus.ts'
import type { WorkerLog } from '../runtime/log.ts'
import { oneAtATime } from '../runtime/one-at-a-time.ts'
import { createSleep } from '../runtime/sleep.ts'
import type { Timers } from '../runtime/timers.ts'
import { within } from '../runtime/within.ts'
import type { ClaimedRun } from '../store/claims.ts'
import type { SlotReservation } from '../writer/starts.ts'
import { createDispatch, createSlots } from './dispatch.ts'
import type { Execution, ExecutionTools, WorkObserver } from './execute-run.ts'
import { executeRun } from './execute-run.ts'
import type { ExecutionPort } from './execution-port.ts'
import { createRunWatch } from './held-runs.ts'
import { createPendingApprovals } from './pending-approvals.ts'
import { createDeltaWindow } from './reply-batch.ts'
import type { WorkerSettings } from './settings.ts'

/** Hints to poll the database; a lost hint costs only latency. */
export type WakeupSource = Pick<WakeupBus, 'onDevice' | 'onRun'>

export interface DeviceWorkerOptions {
  readonly port: ExecutionPort
  readonly assistants: AssistantSource
  readonly timers: Timers
  readonly wakeups: WakeupSource
  readonly log: WorkerLog
  /** Default: no observer. */
  readonly observer?: WorkObserver
  /** Default: no tracing. */
  readonly tracing?: Tracing
  readonly settings: WorkerSettings
}

/** A worker of devices (D-43): announces them, takes their queued runs and executes them. */
export interface DeviceWorker {
  /** Announces the devices and begins to take work. Resolves after the first heartbeat, whether it succeeded or not. */
  start(): Promise<void>
  /** Takes no more work. Resolves when no run is executing, after `shutdownGraceMs` at the latest (D-73). */
  drain(): Promise<void>
  /**
   * Drains, then stops the assistants of the remaining runs and reports their outcomes: `interrupted`, unless they
   * ended on their own or were being cancelled. Resolves within the shutdown times of the settings. If a run could not
   * be reported by then, it becomes `reconciling` when the process is gone.
   */
  stop(): Promise<void>
  /** Whether the last heartbeat reached the database. */
  isConnected(): boolean
  /** The executing runs. */
  held(): RunRef[]
  /** Whether a slot could be reserved for some device now. */
  hasFreeSlots(): boolean
  /**
   * Reserves slots of a device for runs that are being admitted; null if it has too few, or a run may wait for them.
   */
  reserve(deviceId: string, count: number): Pick<SlotReservation, 'settle'> | null
}

const NO_OBSERVER: WorkObserver = { began: () => {}, answered: () => {}, failed: () => {} }

export const createDeviceWorker = ({
  port,
  assistants,
  timers,
  wakeups,
  log,
  observer = NO_OBSERVER,
  tracing = NO_TRACING,
  settings,
}: DeviceWorkerOptions): DeviceWorker => {
  const held = new Map<string, Execution>()
  const sleep = createSleep(timers)
  const slots = createSlots(settings)
  const approvals = createPendingApprovals(port, slots, () => dispatch.resume())
  const watch = createRunWatch(held, { port, approvals, log, claimsSettled: () => dispatch.settled() })
  const tools: ExecutionTools = {
    port,
    assistants,
    timers,
    release: watch.release,
    sleep,
    approvals,
    log,
    observer,
    tracing,
    persist: createPersist(sleep),
    window: createDeltaWindow(timers, settings.deltaMs),
    outputBytes: settings.outputBytes,
    showAssistantErrors: settings.showAssistantErrors,
  }
  let devices: ReadonlySet<string> = new Set()
  let connected = false
  const ended = new AbortController()
  let phase: 'serving' | 'draining' | 'ended' = 'serving'
  const subscriptions: StopListening[] = []

  const take = (run: ClaimedRun): void => {
    // The statement that claimed the run took longer than the shutdown, and the process is about to exit.
    if (phase === 'ended') return
    const execution = executeRun(run, tools)
    held.set(run.runId, execution)
    slots.take(run.deviceId)
    void execution.done.then(() => {
      held.delete(run.runId)
      slots.giveBack(run.deviceId)
      dispatch.resume()
    })
  }

  const findOwn = async (runs: readonly ClaimedRun[]): Promise<readonly ClaimedRun[]> => {
    const read = () => port.lookAtRuns(runs.map(({ runId }) => runId))
    // If this fails, the regular poll finds the runs, as after a claim whose answer was lost.
    const seen = await tools.persist(ended.signal, read).catch(() => [])
    const own = new Set(seen?.map(({ runId }) => runId))
    return runs.filter(({ runId }) => own.has(runId))
  }

  const dispatch = createDispatch({ port, slots, log, claimBatch: settings.claimBatch, start: take, findOwn })

  const announce = async (): Promise<void> => {
    const served = await port.beat()
    devices = new Set(served.map(({ deviceId }) => deviceId))
    for (const { deviceId, hasReadyRuns } of served) if (hasReadyRuns) dispatch.poll(deviceId)
  }

  const lostContact = (error: unknown): void => {
    if (connected) log.warn({ err: error }, 'the heartbeat failed; executing runs continue')
    connected = false
  }
  const announceNow = oneAtATime(async () => {
    if (phase !== 'serving') return
    await announce()
    if (!connected) log.info({ devices: devices.size }, 'the devices are announced')
    connected = true
  }, lostContact)
  const pollNow = oneAtATime(watch.pollAll, lostContact)
  // Polling many runs takes time, so announce the devices independently.
  const beat = async (): Promise<void> => {
    await Promise.all([announceNow(), pollNow()])
  }

  const idle = async (): Promise<void> => {
    await dispatch.close()
    await Promise.all([...held.values()].map(({ done }) => done))
  }

  let draining: Promise<boolean> | null = null
  /** Resolves to whether all runs ended within the grace period. */
  const drain = (): Promise<boolean> => {
    phase = 'draining'
    draining ??= within(timers, settings.shutdownGraceMs, idle())
    return draining
  }

  return {
    start: () => {
      subscriptions.push(
        wakeups.onDevice(
          (deviceId) => {
            if (devices.has(deviceId)) dispatch.poll(deviceId)
          },
          () => void beat(),
        ),
        wakeups.onRun(
          (runId) => {
            if (held.has(runId)) watch.pollSoon(runId)
          },
          () => void beat(),
        ),
        timers.every(settings.heartbeatMs, () => void beat()),
      )
      return beat()
    },
    drain: async () => {
      await drain()
    },
    stop: async () => {
      if (!(await drain())) {
        for (const execution of held.values()) execution.shutDown()
        if (!(await within(timers, settings.shutdownStopMs, idle()))) {
          for (const execution of held.values()) execution.interrupt()
          await within(timers, settings.shutdownStopMs, idle())
        }
      }
      phase = 'ended'
      ended.abort()
      for (const execution of held.values()) execution.abandon()
      for (const unsubscribe of subscriptions) unsubscribe()
    },
    hasFreeSlots: () => [...devices].some(dispatch.hasFree),
    reserve: dispatch.reserve,
    isConnected: () => connected,
    held: () => [...held.values()].map(({ run }) => run),
  }
}
