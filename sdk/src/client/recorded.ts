import { NotSentError, UnknownOutcomeError } from '../errors.ts'
import type { Outbox, Recorded } from '../outbox/outbox.ts'
import { checkReplayHandle, type ReplayHandle } from '../replay-handle.ts'
import type { OutgoingRequest } from '../transport/attempt.ts'
import { isForgotten, isRefusal } from '../transport/retry.ts'
import { type Intention, type Sent, sendUntilSettled, unknownOutcome } from '../transport/send.ts'
import type { CallOptions, Settings } from './options.ts'
import { type Answer, answerFrom, type Receipt } from './pending-call.ts'
import { intentionOf, requestHeaders } from './request.ts'

/**
 * Records a write in the outbox before its first attempt. The entry stays until the program has the answer, or for as
 * long as the outcome is unknown.
 */
export async function sendRecorded(
  settings: Settings,
  outbox: Outbox,
  request: OutgoingRequest,
  intention: Intention & { readonly handle: ReplayHandle },
  receipt: Receipt,
): Promise<Sent> {
  const { timing, report } = settings
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
          // A replayed write may have been recorded by another process.
          if (intention.mayHaveHappened) await outbox.delete(handle)
        } catch (error) {
          report({ kind: 'outbox-not-cleared', operationId, error })
        }
      })
  }
}

/** Sends a recorded intention again: the same key, path and bytes. */
export async function replayRecorded<T>(
  settings: Settings,
  recorded: ReplayHandle,
  options: CallOptions,
  send: (request: OutgoingRequest, intention: Intention) => Promise<Sent>,
): Promise<Answer<T>> {
  const handle = checkReplayHandle(recorded)
  const { operationId, method, path, subject, idempotencyKey, body, status, replayBefore } = handle
  const { origin, timing } = settings
  if (handle.origin !== origin) throw new TypeError(`The handle is for ${handle.origin}, the client for ${origin}.`)
  if (isForgotten(replayBefore, timing.now())) {
    const cause = new NotSentError(`Not replayed: the gateway remembered the key until ${replayBefore}.`)
    throw new UnknownOutcomeError(`${cause.message} Read the state instead.`, recorded, cause)
  }
  const headers = requestHeaders(settings, options, { subject, idempotencyKey, contentType: 'application/json' })
  const { response, attempts } = await send(
    { url: origin + path, method, headers, body: new TextEncoder().encode(body) },
    {
      ...intentionOf(settings, { operationId, method, status }, options),
      handle: recorded,
      mayHaveHappened: true,
    },
  )
  return answerFrom((await response.json()) as T, response, attempts)
}
