import type { Mutant } from '../mutant.ts'
import { recordingMutants } from './recording.ts'
import { verifyingMutants } from './verifying.ts'

/** Receivers with one fault each: the SDK's receiver kit and the store of its adapter, patched. */
export const receiverMutants: readonly Mutant[] = [...verifyingMutants, ...recordingMutants]
