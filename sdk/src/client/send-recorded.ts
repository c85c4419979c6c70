import { NotSentError } from '../errors.ts'
import type { Outbox, Recorded } from '../outbox/outbox.ts'
import type { ReplayHandle } from '../replay-handle.ts'
import type { OutgoingRequest } from '../transport/attempt.ts'
import type { Receipt } from '../transport/receipt.ts'
import { isRefusal } from '../transport/retry.ts'
import { type Intention, type Sent, sendUntilSettled, unknownOutcome } from '../transport/send.ts'
import type { Settings } from './options.ts'

/**
 * Sends what is in the outbox from before its first attempt until the program has its answer, and for good while its
 * outcome is not known.
 */
export async function sendRecorded(
  settings: Settings,
  outbox: Outbox,
  request: OutgoingRequest,
  intention: Intention & { readonly handle: ReplayHandle },
  receipt: Receipt,
): Promise<Sent> {
  const { timing, tell } = settings
  const { operationId, handle } = intention
  let recorded: Recorded
  try {
    recorded = await outbox.record(handle, timing)
  } catch (cause) {
    const error = new NotSentError(`${operationId} was not sent: the outbox could not record it.`, { cause })
    throw intention.mayHaveHappened ? unknownOutcome(operationId, handle, error) : error
  }
  let isSettled = true
  try {
    return await sendUntilSettled(settings, request, intention)
  } catch (error) {
    isSettled = isRefusal(error)
    throw error
  } finally {
    recorded.release()
    if (isSettled)
      receipt.settle(async () => {
        try {
          await recorded.forget()
          // What was sent before this may have been recorded by another process.
          if (intention.mayHaveHappened) await outbox.delete(handle)
        } catch (error) {
          tell({ kind: 'outbox-not-cleared', operationId, error })
        }
      })
  }
}
