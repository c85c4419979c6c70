import type { Mutant } from '../mutant.ts'
import { readingMutants } from './reading.ts'
import { requestMutants } from './requests.ts'
import { sendingMutants } from './sending.ts'
import { streamMutants } from './streams.ts'
import { webhookMutants } from './webhooks.ts'

/** Clients with one fault each: the SDK and its adapter, patched. */
export const clientMutants: readonly Mutant[] = [
  ...requestMutants,
  ...sendingMutants,
  ...readingMutants,
  ...streamMutants,
  ...webhookMutants,
]
