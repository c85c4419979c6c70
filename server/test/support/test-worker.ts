import type { Assistant } from '../../src/assistants/assistant.ts'
import { createAssistants } from '../../src/assistants/registry.ts'
import type { WorkerSettings } from '../../src/devices/settings.ts'
import { DEFAULT_WORKER_SETTINGS } from '../../src/devices/settings.ts'
import type { WakeupSource } from '../../src/devices/worker.ts'
import { createDeviceWorker } from '../../src/devices/worker.ts'
import type { FakeRun } from './fake-execution.ts'
import { createFakeExecution } from './fake-execution.ts'
import { createManualTimers } from './manual-timers.ts'

/** Turns of the event loop to wait for a condition before failing. */
const MAX_TURNS = 2000

/** Waits for a condition in turns of the event loop, without moving the time. */
export const until = async (condition: () => boolean): Promise<void> => {
  for (let turn = 0; !condition(); turn += 1) {
    if (turn === MAX_TURNS) throw new Error(`the condition was never true: ${condition}`)
    await new Promise(setImmediate)
  }
}

/** Waits for enough turns of the event loop to finish all work that does not depend on time. */
export const quiet = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
}

const createTestWakeups = () => {
  const device = new Set<(deviceId: string) => void>()
  const run = new Set<(runId: string) => void>()
  const lost = new Set<() => void>()
  const listen =
    <Subject>(listeners: Set<(subject: Subject) => void>) =>
    (onHint: (subject: Subject) => void, onLost: () => void) => {
      listeners.add(onHint)
      lost.add(onLost)
      return () => {
        listeners.delete(onHint)
        lost.delete(onLost)
      }
    }
  const source: WakeupSource = { onDevice: listen(device), onRun: listen(run) }
  return {
    source,
    listeners: () => device.size + run.size,
    hintDevice: (deviceId: string) => {
      for (const listener of device) listener(deviceId)
    },
    hintRun: (runId: string) => {
      for (const listener of run) listener(runId)
    },
    loseHints: () => {
      for (const listener of lost) listener()
    },
  }
}

const noModule = () => {
  throw new Error('modules need processes')
}

/** A worker over a gateway in memory. The `assistant` of a run may be an Assistant itself, or a configuration. */
export const createTestWorker = (settings: Partial<WorkerSettings> = {}) => {
  const gateway = createFakeExecution()
  const timers = createManualTimers()
  const wakeups = createTestWakeups()
  const logged: string[] = []
  const record = (fields: object, message: string) => {
    logged.push('err' in fields && fields.err instanceof Error ? `${message}: ${fields.err.message}` : message)
  }
  const configured = createAssistants({ environment: {}, moduleAssistant: noModule, httpAssistant: null, timers })
  const isAssistant = (config: unknown): config is Assistant => typeof config === 'function'
  const worker = createDeviceWorker({
    port: gateway,
    assistants: (config) => (isAssistant(config) ? config : configured(config)),
    timers,
    wakeups: wakeups.source,
    log: { info: record, warn: record, error: record },
    settings: { ...DEFAULT_WORKER_SETTINGS, ...settings },
  })
  return {
    worker,
    gateway,
    timers,
    wakeups,
    logged,
    /** Admits a run of a script, and wakes the worker. */
    play: (...script: unknown[]) => {
      const run = gateway.admit({ assistant: { type: 'script' }, data: JSON.stringify({ script }) })
      wakeups.hintDevice('dev_1')
      return run
    },
    /** Requests the stop of a run, and wakes the worker. */
    cancel: (run: FakeRun) => {
      run.state = 'cancelling'
      wakeups.hintRun(run.claimed.runId)
    },
    /** Admits a run of an assistant, and wakes the worker. */
    run: (assistant: Assistant) => {
      const run = gateway.admit({ assistant, text: 'input' })
      wakeups.hintDevice('dev_1')
      return run
    },
  }
}

export const startTestWorker = async (settings: Partial<WorkerSettings> = {}) => {
  const fixture = createTestWorker(settings)
  await fixture.worker.start()
  return fixture
}
