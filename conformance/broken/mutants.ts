import type { Target } from '../src/kit/check.ts'
import { clientMutants } from './client/index.ts'
import type { Mutant } from './mutant.ts'
import { receiverMutants } from './receiver/index.ts'
import { serverMutants } from './server/index.ts'
import { workerMutants } from './worker/index.ts'

/** All mutants by target. */
export const MUTANTS: Readonly<Record<Target, readonly Mutant[]>> = {
  server: serverMutants,
  client: clientMutants,
  receiver: receiverMutants,
  worker: workerMutants,
}
