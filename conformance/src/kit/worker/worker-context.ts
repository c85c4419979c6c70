import type { Check } from '../check.ts'
import type { PlayedWorkerGateway } from './played-worker-gateway.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A check of the target `worker`. */
export type WorkerCheck = Check<WorkerContext, never>

/** What a check of a worker works with. */
export interface WorkerContext {
  readonly gateway: PlayedWorkerGateway
  /** The device key that the worker is given. */
  readonly key: string
  /** Starts the worker under test against the played gateway. The suite ends it with the check. */
  start(): Promise<WorkerProcess>
}
