import { describeConfig } from '../config/describe-config.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import { messageOf } from '../message-of.ts'
import { type System, SystemAbsentError } from '../system.ts'
import { createRedaction, createTranscript, type Transcript } from '../transcript.ts'
import { createWaits } from '../waits.ts'
import { type SimulatedWorkerGateway, startSimulatedWorkerGateway } from './simulated-worker-gateway.ts'
import type { WorkerContext } from './worker-context.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

/** Long enough for reports to redact, and invalid at any real gateway. */
const KEY = `gd_conformance_${'kqzvyxwabtesnohfmdlrpcig'.repeat(2)}`
const SERVICE = 'ep_conformance'
const DEFAULT_STEP_MS = 30_000
/** Short enough for quick checks of the lease, and long enough for a busy machine. */
const LEASE_MS = 6000

/** Prepares the worker target: each check has a simulated gateway and starts the program. */
export const startWorkerSystem = (config: WorkerConfig): System<WorkerContext> => {
  const stepMs = config.deadlines?.stepMs ?? DEFAULT_STEP_MS
  const startGateway = (transcript: Transcript) =>
    startSimulatedWorkerGateway({ transcript, service: SERVICE, leaseMs: LEASE_MS, stepMs })
  const startFor = (gateway: SimulatedWorkerGateway, transcript: Transcript): Promise<WorkerProcess> =>
    startWorker(config, { url: gateway.origin, key: KEY, service: SERVICE, stepMs, transcript })
  return {
    target: 'worker',
    name: config.name ?? config.command.join(' '),
    configuration: describeConfig(config),
    capabilities: new Set(),
    concurrency: config.concurrency ?? 4,
    waitMs: stepMs,
    probe: async () => {
      const transcript = createTranscript(String)
      const gateway = await startGateway(transcript)
      let worker: WorkerProcess | undefined
      try {
        worker = await startFor(gateway, transcript)
        await gateway.until('the worker opens a session', () => gateway.to('sessions')[0])
      } catch (error) {
        throw new SystemAbsentError(messageOf(error), { cause: error })
      } finally {
        await worker?.kill()
        await gateway.close()
      }
    },
    open: async () => {
      const { redact } = createRedaction([KEY])
      const transcript = createTranscript(redact)
      const waits = createWaits()
      const gateway = await startGateway(transcript)
      const over = new AbortController()
      const workers: WorkerProcess[] = []
      return {
        context: {
          gateway: {
            ...gateway,
            until: (what, find) => waits.during(what, gateway.until(what, find)),
          },
          key: KEY,
          start: async () => {
            over.signal.throwIfAborted()
            const worker = await startFor(gateway, transcript)
            workers.push(worker)
            return worker
          },
        },
        redact,
        transcript: transcript.entries,
        waits: waits.list,
        abort: (reason) => {
          over.abort(reason)
          void gateway.close()
        },
        close: async () => {
          await Promise.all(workers.map((worker) => worker.kill()))
          await gateway.close()
          return []
        },
      }
    },
    stop: async () => {},
  }
}
