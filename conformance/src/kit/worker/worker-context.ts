import type { Check } from '../check.ts'
import type { SimulatedWorkerGateway } from './simulated-worker-gateway.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A check of the target `worker`. */
export type WorkerCheck = Check<WorkerContext, never>

/** What a check of a worker works with. */
export interface WorkerContext {
  readonly gateway: SimulatedWorkerGateway
  /** The worker's device key. */
  readonly key: string
  /** Starts the worker under test against the simulated gateway. The suite ends it with the check. */
  start(): Promise<WorkerProcess>
}
