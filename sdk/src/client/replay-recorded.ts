import { NotSentError, UnknownOutcomeError } from '../errors.ts'
import { checkReplayHandle, type ReplayHandle } from '../replay-handle.ts'
import type { OutgoingRequest } from '../transport/attempt.ts'
import { isForgotten } from '../transport/retry.ts'
import type { Intention, Sent } from '../transport/send.ts'
import type { CallOptions, Settings } from './options.ts'
import { type Answer, answerFrom } from './pending-call.ts'
import { intentionOf, requestHeaders } from './request.ts'

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
