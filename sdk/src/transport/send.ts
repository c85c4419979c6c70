import type { Settings } from '../client/options.ts'
import { type GatewayError, isApiError, NotSentError, UnknownOutcomeError } from '../errors.ts'
import { type Attempt, attemptOnce, type OutgoingRequest } from './attempt.ts'
import type { ObservedCall } from './observed-call.ts'
import type { Expected } from './read-answer.ts'
import { replay } from './replay.ts'
import type { ReplayHandle } from './replay-handle.ts'
import type { Verdict } from './verdict.ts'

/**
 * What a second one does: nothing more (`same`), nothing, and says NOT_FOUND (`gone`), or the work once more (`again`).
 */
export type Repeat = 'same' | 'gone' | 'again'

/** What a call is to the loop that sends it. */
export interface Intention {
  readonly operationId: string
  readonly expected: Expected
  /** HTTP status of success. */
  readonly status: number
  readonly isWrite: boolean
  /** What a write without a key does when it is sent a second time; as the contract says. */
  readonly repeat: Repeat
  /** What an unknown outcome of a write is told with; null where there is no key to replay under. */
  readonly handle: ReplayHandle | null
  /** Whether it was sent before this, so that it may have taken effect already. */
  readonly mayHaveHappened: boolean
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly attemptTimeoutMs: number
  readonly maxAttempts: number
}

export interface Sent {
  readonly response: Response
  readonly attempts: number
}

/**
 * Sends the same bytes until an answer settles the intention or its time is up. Rejects with an `ApiError` when it was
 * refused, with a `NotSentError` when nothing was sent; a write whose effect is not known rejects with an
 * `UnknownOutcomeError`.
 */
export async function sendUntilSettled(
  settings: Settings,
  request: OutgoingRequest,
  intention: Intention,
): Promise<Sent> {
  const call = await settings.observe(intention.operationId)
  try {
    const sent = await sendObserved(settings, call, request, intention)
    call.end()
    return sent
  } catch (error) {
    call.end(error)
    throw error
  }
}

async function sendObserved(
  settings: Settings,
  call: ObservedCall,
  request: OutgoingRequest,
  intention: Intention,
): Promise<Sent> {
  const { operationId, isWrite, handle, signal, expected, status } = intention
  const settled = await replay({
    ...settings,
    ...intention,
    attempt: async (timeoutMs, mayHaveHappened) => {
      const attempt = await call.send(request, (outgoing) =>
        attemptOnce(outgoing, { ...settings, expected, status, timeoutMs, signal }),
      )
      return isGone(intention, attempt, mayHaveHappened)
        ? { kind: 'answered', response: emptyAnswer(status, attempt.error) }
        : attempt
    },
    isReplayable: (verdict, mayHaveHappened) => isReplayable(intention, verdict, mayHaveHappened),
  })
  if (settled.kind === 'answered') return settled
  if (settled.kind === 'aborted') throw endAborted(intention, settled.mayHaveHappened)
  throw isWrite && settled.mayHaveHappened ? unknownOutcome(operationId, handle, settled.error) : settled.error
}

/** Reads, and writes that do the same when done twice, are always sent again; others only while nothing can have happened. */
const isReplayable = (
  { isWrite, handle, repeat }: Intention,
  { isPassing }: Verdict,
  mayHaveHappened: boolean,
): boolean => isPassing && (!isWrite || handle !== null || repeat !== 'again' || !mayHaveHappened)

/** What an earlier attempt may have deleted and the gateway does not know any more has been deleted. */
const isGone = (
  { repeat }: Intention,
  attempt: Attempt,
  mayHaveHappened: boolean,
): attempt is Extract<Attempt, { kind: 'failed' }> =>
  attempt.kind === 'failed' && repeat === 'gone' && mayHaveHappened && isApiError(attempt.error, 'NOT_FOUND')

const emptyAnswer = (status: number, { requestId }: GatewayError): Response =>
  new Response(null, { status, headers: requestId === null ? {} : { 'X-Request-Id': requestId } })

function endAborted({ operationId, isWrite, handle, signal }: Intention, mayHaveHappened: boolean): unknown {
  if (!isWrite) return signal?.reason
  if (mayHaveHappened) return unknownOutcome(operationId, handle, signal?.reason)
  return new NotSentError(`${operationId} was aborted before anything could happen.`, { cause: signal?.reason })
}

/** @param cause What leaves it open. */
export const unknownOutcome = <Handle extends ReplayHandle | null>(
  operationId: string,
  handle: Handle,
  cause: unknown,
): UnknownOutcomeError<Handle> =>
  new UnknownOutcomeError(
    `Whether ${operationId} took effect is not known: ${handle ? 'finish it with client.replay(error.handle)' : 'read the state before doing it again'}.`,
    handle,
    cause,
  )
