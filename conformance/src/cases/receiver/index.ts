import type { ReceiverCheck } from '../../targets/receiver/receiver-context.ts'
import { eventChecks } from './events.ts'
import { headerChecks } from './headers.ts'
import { rawByteChecks } from './raw-bytes.ts'
import { durabilityChecks, repeatChecks } from './repeats.ts'
import { signatureChecks } from './signatures.ts'
import { timeChecks } from './times.ts'

/** All checks of a receiver of callbacks. */
export const receiverChecks: readonly ReceiverCheck[] = [
  ...signatureChecks,
  ...headerChecks,
  ...timeChecks,
  ...rawByteChecks,
  ...eventChecks,
  ...repeatChecks,
  ...durabilityChecks,
]
