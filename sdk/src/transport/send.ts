import type { Settings } from '../client/options.ts'
import { ApiError, type GatewayError, isApiError, NotSentError, UnknownOutcomeError } from '../errors.ts'
import { type Attempt, attemptOnce, describeFailure, type OutgoingRequest } from './attempt.ts'
import type { Expected } from './read-answer.ts'
import type { ReplayHandle } from './replay-handle.ts'
import { retryDelayMs } from './retry-timing.ts'
import { sleep } from './timing.ts'
import type { Verdict } from './verdict.ts'

/** What a call is to the loop that sends it. */
export interface Intention {
  readonly operationId: string
  readonly expected: Expected
  /** HTTP status of success. */
  readonly status: number
  readonly isWrite: boolean
  /** What an unknown outcome of a write is told with; null where there is no key to replay under. */
  readonly handle: ReplayHandle | null
  /** Whether it was sent before this, so that it may have taken effect already. */
  readonly mayHaveHappened: boolean
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly attemptTimeoutMs: number
}

export interface Sent {
  readonly response: Response
  readonly attempts: number
}

type Failure = Extract<Attempt, { kind: 'failed' }>

/**
 * Sends the same bytes until an answer settles the intention or its time is up. Rejects with an `ApiError` when it was
 * refused; a write whose effect is not known rejects with an `UnknownOutcomeError`.
 */
export async function sendUntilSettled(
  settings: Settings,
  request: OutgoingRequest,
  intention: Intention,
): Promise<Sent> {
  const { timing, backoff, tell } = settings
  const { operationId, signal, isWrite, handle } = intention
  const startedAt = timing.now()
  const remainingMs = (): number => startedAt + intention.timeoutMs - timing.now()
  let { mayHaveHappened } = intention

  for (let attempts = 1; ; attempts++) {
    const attempt = await attemptOnce(request, {
      ...settings,
      expected: intention.expected,
      status: intention.status,
      timeoutMs: Math.min(intention.attemptTimeoutMs, remainingMs()),
      signal,
    })
    if (attempt.kind === 'answered') return { response: attempt.response, attempts }
    if (attempt.kind === 'aborted') throw endAborted(intention, mayHaveHappened || attempt.wasSent)

    if (isGone(request, attempt, mayHaveHappened)) return { response: deleted(attempt.error), attempts }
    mayHaveHappened = mayStillHaveHappened(mayHaveHappened, attempt.verdict)
    const retryAfterMs = attempt.error instanceof ApiError ? attempt.error.retryAfterMs : null
    const delayMs = retryDelayMs(backoff, attempts, timing.random(), retryAfterMs)
    if (isReplayable(request, intention, attempt.verdict, mayHaveHappened) && delayMs < remainingMs()) {
      tell({ kind: 'replay', operationId, ...describeFailure(attempt), attempt: attempts, delayMs, retryAfterMs })
      try {
        await sleep(timing, delayMs, signal)
      } catch {
        throw endAborted(intention, mayHaveHappened)
      }
      // A timer may be late: an attempt without any time would only cast doubt on what is known.
      if (remainingMs() > 0) continue
    }
    const elapsedMs = timing.now() - startedAt
    // A final answer is nothing to decide about.
    if (attempt.verdict.isPassing)
      tell({ kind: 'give-up', operationId, ...describeFailure(attempt), attempts, elapsedMs })
    throw isWrite && mayHaveHappened ? unknownOutcome(operationId, handle, attempt.error) : attempt.error
  }
}

/** A refusal clears earlier doubts only when it is final for the key. */
const mayStillHaveHappened = (before: boolean, { effect }: Verdict): boolean =>
  effect === 'unknown' || (before && effect === 'none')

/** Reads, and writes that do the same when done twice, are always sent again; others only while nothing can have happened. */
const isReplayable = (
  { method }: OutgoingRequest,
  { isWrite, handle }: Intention,
  { isPassing }: Verdict,
  mayHaveHappened: boolean,
): boolean => isPassing && (!isWrite || handle !== null || method === 'PUT' || method === 'DELETE' || !mayHaveHappened)

/** What an earlier attempt may have deleted and the gateway does not know any more has been deleted. */
const isGone = ({ method }: OutgoingRequest, { error }: Failure, mayHaveHappened: boolean): boolean =>
  method === 'DELETE' && mayHaveHappened && isApiError(error, 'NOT_FOUND')

const deleted = ({ requestId }: GatewayError): Response =>
  new Response(null, { status: 204, headers: requestId === null ? {} : { 'X-Request-Id': requestId } })

function endAborted({ operationId, isWrite, handle, signal }: Intention, mayHaveHappened: boolean): unknown {
  if (!isWrite) return signal?.reason
  if (mayHaveHappened) return unknownOutcome(operationId, handle, signal?.reason)
  return new NotSentError(`${operationId} was aborted before anything could happen.`, { cause: signal?.reason })
}

/** @param cause What leaves it open. */
export const unknownOutcome = (operationId: string, handle: ReplayHandle | null, cause: unknown): UnknownOutcomeError =>
  new UnknownOutcomeError(
    `Whether ${operationId} took effect is not known: ${handle ? 'finish it with client.replay(error.handle)' : 'read the state before doing it again'}.`,
    handle,
    cause,
  )
