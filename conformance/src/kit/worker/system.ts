import { describeConfig } from '../config/describe-config.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import { type System, SystemAbsentError } from '../system.ts'
import { createRedaction, createTranscript, type Transcript } from '../transcript.ts'
import { createWaits } from '../waits.ts'
import { type PlayedWorkerGateway, playWorkerGateway } from './played-worker-gateway.ts'
import type { WorkerContext } from './worker-context.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

/** Long enough for reports to redact, and nothing that a gateway would accept. */
const KEY = `gd_conformance_${'kqzvyxwabtesnohfmdlrpcig'.repeat(2)}`
const SERVICE = 'ep_conformance'
const DEFAULT_STEP_MS = 30_000
/** Short, so that the checks of the lease are quick, and long enough for a busy machine. */
const LEASE_MS = 6000

/** Starts the worker target: each check plays a gateway and starts the program anew. */
export const startWorkerSystem = (config: WorkerConfig): System<WorkerContext> => {
  const stepMs = config.deadlines?.stepMs ?? DEFAULT_STEP_MS
  const play = (transcript: Transcript) =>
    playWorkerGateway({ transcript, service: SERVICE, leaseMs: LEASE_MS, stepMs })
  const startFor = (gateway: PlayedWorkerGateway, transcript: Transcript): Promise<WorkerProcess> =>
    startWorker(config, { url: gateway.origin, key: KEY, service: SERVICE, stepMs, transcript })
  return {
    target: 'worker',
    name: config.name ?? config.command.join(' '),
    configuration: describeConfig(config),
    capabilities: new Set(),
    concurrency: config.concurrency ?? 4,
    waitMs: stepMs,
    greet: async () => {
      const transcript = createTranscript(String)
      const gateway = await play(transcript)
      let worker: WorkerProcess | undefined
      try {
        worker = await startFor(gateway, transcript)
        await gateway.until('the worker opens a session', () => gateway.to('sessions')[0])
      } catch (error) {
        throw new SystemAbsentError(error instanceof Error ? error.message : String(error), { cause: error })
      } finally {
        await worker?.kill()
        await gateway.close()
      }
    },
    open: async () => {
      const { redact } = createRedaction([KEY])
      const transcript = createTranscript(redact)
      const waits = createWaits()
      const played = await play(transcript)
      const over = new AbortController()
      const workers: WorkerProcess[] = []
      return {
        context: {
          gateway: {
            ...played,
            until: (what, find) => waits.during(what, played.until(what, find)),
          },
          key: KEY,
          start: async () => {
            over.signal.throwIfAborted()
            const worker = await startFor(played, transcript)
            workers.push(worker)
            return worker
          },
        },
        redact,
        transcript: transcript.entries,
        waits: waits.list,
        abort: (reason) => {
          over.abort(reason)
          void played.close()
        },
        close: async () => {
          await Promise.all(workers.map((worker) => worker.kill()))
          await played.close()
          return []
        },
      }
    },
    stop: async () => {},
  }
}
