import type { DecisionListener } from '../client/decision.ts'
import { ApiError, NotSentError } from '../errors.ts'
import { signedHeaders } from '../signature/sign.ts'
import { attemptOnce, describeFailure } from '../transport/attempt.ts'
import { type Backoff, retryDelayMs } from '../transport/retry-timing.ts'
import { sleep, type Timing } from '../transport/timing.ts'
import { UnknownDeliveryError } from './unknown-delivery-error.ts'
import type { WebhookHandle } from './webhook-handle.ts'

export interface DeliverySettings {
  readonly secret: string
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly attemptTimeoutMs: number
  readonly backoff: Backoff
  readonly timing: Timing
  readonly tell: DecisionListener
}

export interface Delivered {
  readonly response: Response
  readonly attempts: number
}

/** An acceptance is a few hundred bytes. */
const MAX_ANSWER_BYTES = 1_048_576
const OPERATION_ID = 'receiveWebhook'

/**
 * Sends an event until an answer settles it or the time is up: every attempt has the same ID and bytes, and a
 * timestamp and signature of its own, so that one that comes minutes later is still in time (SIG-16, SIG-17).
 *
 * @param mayHaveArrived Whether the event may have been accepted before.
 */
export const deliver = async (
  settings: DeliverySettings,
  handle: WebhookHandle,
  mayHaveArrived: boolean,
  signal: AbortSignal | undefined,
): Promise<Delivered> => {
  const { secret, timing, backoff, tell } = settings
  const body = new TextEncoder().encode(handle.body)
  const startedAt = timing.now()
  const remainingMs = (): number => startedAt + settings.timeoutMs - timing.now()
  const endAborted = (mayHaveHappened: boolean): Error =>
    mayHaveHappened
      ? new UnknownDeliveryError(handle, signal?.reason)
      : new NotSentError('The event was aborted before anything could happen.', { cause: signal?.reason })
  let mayHaveHappened = mayHaveArrived

  for (let attempts = 1; ; attempts++) {
    const headers = await signedHeaders({ id: handle.id, body, secret, now: new Date(timing.now()) })
    const attempt = await attemptOnce(
      { url: handle.url, method: 'POST', headers: new Headers(headers), body },
      {
        fetch: settings.fetch,
        timing,
        expected: 'json',
        status: 202,
        timeoutMs: Math.min(settings.attemptTimeoutMs, remainingMs()),
        maxAnswerBytes: MAX_ANSWER_BYTES,
        signal,
      },
    )
    if (attempt.kind === 'answered') return { response: attempt.response, attempts }
    if (attempt.kind === 'aborted') throw endAborted(mayHaveHappened || attempt.wasSent)

    const { error, verdict } = attempt
    // Only a refusal that is final for the ID clears the doubt about earlier attempts.
    mayHaveHappened = verdict.effect === 'unknown' || (mayHaveHappened && verdict.effect === 'none')
    const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : null
    const delayMs = retryDelayMs(backoff, attempts, timing.random(), retryAfterMs)
    const about = { operationId: OPERATION_ID, ...describeFailure(attempt) }
    if (verdict.isPassing && delayMs < remainingMs()) {
      tell({ kind: 'replay', ...about, attempt: attempts, delayMs, retryAfterMs })
      try {
        await sleep(timing, delayMs, signal)
      } catch {
        throw endAborted(mayHaveHappened)
      }
      // A timer may be late: an attempt without any time would only cast doubt on what is known.
      if (remainingMs() > 0) continue
    }
    // A final answer is nothing to decide about.
    if (verdict.isPassing) tell({ kind: 'give-up', ...about, attempts, elapsedMs: timing.now() - startedAt })
    throw mayHaveHappened ? new UnknownDeliveryError(handle, error) : error
  }
}
