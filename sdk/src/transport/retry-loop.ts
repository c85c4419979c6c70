import type { GatewayError } from '../errors.ts'
import { type Attempt, describeFailure } from './attempt.ts'
import type { DecisionListener } from './decision-report.ts'
import { addFailure, type Backoff, nextDelayMs, type Past, retryAfterOf } from './retry.ts'
import { sleep, type Timing } from './timing.ts'

export interface RetryLoopOptions {
  readonly operationId: string
  /** Makes one attempt, which ends after `timeoutMs`. */
  readonly attempt: (timeoutMs: number, mayHaveHappened: boolean) => Promise<Attempt>
  /** Whether it may be sent again even if an earlier attempt may have taken effect. */
  readonly isRepeatable: boolean
  /** Whether it was sent before this call, so that it may have taken effect already. */
  readonly mayHaveHappened: boolean
  readonly timeoutMs: number
  readonly attemptTimeoutMs: number
  readonly maxAttempts: number
  readonly backoff: Backoff
  readonly timing: Timing
  readonly report: DecisionListener
  readonly signal: AbortSignal | undefined
}

/** How a request ended after all its attempts. */
export type Settled =
  | { readonly kind: 'answered'; readonly response: Response; readonly attempts: number }
  | { readonly kind: 'failed'; readonly error: GatewayError; readonly mayHaveHappened: boolean }
  /** The caller's signal ended it. */
  | { readonly kind: 'aborted'; readonly mayHaveHappened: boolean }

/** Attempts the same request until an answer settles it, or the rules of `retry.ts` end it. Never rejects. */
export async function runRetryLoop(options: RetryLoopOptions): Promise<Settled> {
  const { operationId, timing, report, signal } = options
  const startedAtMs = timing.elapsed()
  const deadlineMs = startedAtMs + options.timeoutMs
  let past: Past = { failures: 0, mayHaveHappened: options.mayHaveHappened, unreachableSinceMs: null }

  for (;;) {
    const attemptedAtMs = timing.elapsed()
    const timeoutMs = Math.min(options.attemptTimeoutMs, deadlineMs - attemptedAtMs)
    const attempt = await options.attempt(timeoutMs, past.mayHaveHappened)
    if (attempt.kind === 'answered') return { ...attempt, attempts: past.failures + 1 }
    if (attempt.kind === 'aborted') return { kind: 'aborted', mayHaveHappened: past.mayHaveHappened || attempt.wasSent }

    const { error, verdict } = attempt
    const failure = { error, verdict, attemptedAtMs }
    past = addFailure(past, failure)
    const { failures: attempts, mayHaveHappened } = past
    const delayMs = nextDelayMs({ ...options, deadlineMs }, past, failure, timing.elapsed(), timing.random())
    const about = { operationId, ...describeFailure(attempt) }
    if (delayMs !== null) {
      report({ kind: 'replay', ...about, attempt: attempts, delayMs, retryAfterMs: retryAfterOf(error) })
      try {
        await sleep(timing, delayMs, signal)
      } catch {
        return { kind: 'aborted', mayHaveHappened }
      }
      // A timer may be late. An attempt without time left could turn a known outcome into an unknown one.
      if (timing.elapsed() < deadlineMs) continue
    }
    // A final answer is not reported: the client did not choose to give up.
    if (verdict.isTransient) report({ kind: 'give-up', ...about, attempts, elapsedMs: timing.elapsed() - startedAtMs })
    return { kind: 'failed', error, mayHaveHappened }
  }
}
