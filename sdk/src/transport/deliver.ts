import type { Settings } from '../client/options.ts'
import { ApiError, NotSentError } from '../errors.ts'
import type { OutgoingRequest } from './attempt.ts'
import { type Intention, type Sent, sendUntilSettled, unknownOutcome } from './send.ts'

/** Sends; what has a handle is in the outbox from before its first attempt until its outcome is known. */
export async function deliver(settings: Settings, request: OutgoingRequest, intention: Intention): Promise<Sent> {
  const { outbox, tell } = settings
  const { operationId, handle } = intention
  if (outbox === null || handle === null) return sendUntilSettled(settings, request, intention)
  try {
    await outbox.put(handle)
  } catch (cause) {
    const error = new NotSentError(`${operationId} was not sent: the outbox could not record it.`, { cause })
    throw intention.mayHaveHappened ? unknownOutcome(operationId, handle, error) : error
  }
  let isSettled = true
  try {
    return await sendUntilSettled(settings, request, intention)
  } catch (error) {
    isSettled = error instanceof ApiError || error instanceof NotSentError
    throw error
  } finally {
    if (isSettled)
      await outbox.delete(handle).catch((error: unknown) => tell({ kind: 'outbox-not-cleared', operationId, error }))
  }
}
