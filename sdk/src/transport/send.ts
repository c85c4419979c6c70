import { type GatewayError, NotSentError, UnknownOutcomeError } from '../errors.ts'
import type { ReplayHandle } from '../replay-handle.ts'
import { attemptOnce, type OutgoingRequest } from './attempt.ts'
import type { DecisionListener } from './decision-report.ts'
import type { HostFetch } from './fetch.ts'
import type { Observe, ObservedCall } from './observed-call.ts'
import type { Expected } from './read-answer.ts'
import { type Backoff, isGone, isRepeatable, type Sendable } from './retry.ts'
import { runRetryLoop } from './retry-loop.ts'
import type { Timing } from './timing.ts'

/** The settings that all calls of a client share. */
export interface SendSettings {
  readonly fetch: HostFetch
  readonly backoff: Backoff
  readonly maxAnswerBytes: number
  readonly report: DecisionListener
  readonly observe: Observe
  readonly timing: Timing
}

/** A call, as the retry loop needs it. */
export interface Intention extends Sendable {
  readonly operationId: string
  readonly expected: Expected
  /** HTTP status of success. */
  readonly status: number
  /** The handle for an unknown outcome of a write; null without an idempotency key. */
  readonly handle: ReplayHandle | null
  /** Whether it was sent before this call, so that it may have taken effect already. */
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
 * Sends the same bytes until an answer settles the intention, or the rules of `retry.ts` end it. A write rejects with
 * an `ApiError` if it was refused, with a `NotSentError` if nothing was sent, and with an `UnknownOutcomeError` if its
 * effect is unknown. A read rejects with the error of its last attempt, or with the reason of the signal.
 */
export async function sendUntilSettled(
  settings: SendSettings,
  request: OutgoingRequest,
  intention: Intention,
): Promise<Sent> {
  const call = settings.observe(intention.operationId)
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
  settings: SendSettings,
  call: ObservedCall,
  request: OutgoingRequest,
  intention: Intention,
): Promise<Sent> {
  const { operationId, isWrite, handle, signal, expected, status } = intention
  const settled = await runRetryLoop({
    ...settings,
    ...intention,
    attempt: async (timeoutMs, mayHaveHappened) => {
      const attempt = await call.send(request, (outgoing) =>
        attemptOnce(outgoing, { ...settings, expected, status, timeoutMs, signal }),
      )
      return attempt.kind === 'failed' && isGone(attempt.error, intention, mayHaveHappened)
        ? { kind: 'answered', response: emptyAnswer(status, attempt.error) }
        : attempt
    },
    isRepeatable: isRepeatable(intention),
  })
  if (settled.kind === 'answered') return settled
  if (settled.kind === 'aborted') throw endAborted(intention, settled.mayHaveHappened)
  throw isWrite && settled.mayHaveHappened ? unknownOutcome(operationId, handle, settled.error) : settled.error
}

const emptyAnswer = (status: number, { requestId }: GatewayError): Response =>
  new Response(null, { status, headers: requestId === null ? {} : { 'X-Request-Id': requestId } })

function endAborted({ operationId, isWrite, handle, signal }: Intention, mayHaveHappened: boolean): unknown {
  if (!isWrite) return signal?.reason
  if (mayHaveHappened) return unknownOutcome(operationId, handle, signal?.reason)
  return new NotSentError(`${operationId} was aborted before anything could happen.`, { cause: signal?.reason })
}

/** @param cause Why the outcome is unknown. */
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
