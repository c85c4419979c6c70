import type { WorkerCheck } from '../../targets/worker/worker-context.ts'
import { claimChecks } from './claims.ts'
import { leaseChecks } from './leases.ts'
import { sessionChecks } from './sessions.ts'
import { stepChecks } from './steps.ts'

/** All checks of a worker. */
export const workerChecks: readonly WorkerCheck[] = [...sessionChecks, ...claimChecks, ...stepChecks, ...leaseChecks]
