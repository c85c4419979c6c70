import type { DecisionListener } from '../client/decision.ts'
import { ApiError, type GatewayError, NotSentError } from '../errors.ts'
import { type Attempt, describeFailure } from './attempt.ts'
import { type Backoff, retryDelayMs } from './retry-timing.ts'
import { sleep, type Timing } from './timing.ts'
import type { Verdict } from './verdict.ts'

export interface ReplayOptions {
  readonly operationId: string
  /** Makes one attempt, which ends after `timeoutMs`. */
  readonly attempt: (timeoutMs: number, mayHaveHappened: boolean) => Promise<Attempt>
  /** Whether an attempt that failed in this way may be followed by another one. */
  readonly isReplayable: (verdict: Verdict, mayHaveHappened: boolean) => boolean
  /** Whether it was sent before this, so that it may have taken effect already. */
  readonly mayHaveHappened: boolean
  readonly timeoutMs: number
  readonly attemptTimeoutMs: number
  readonly maxAttempts: number
  readonly backoff: Backoff
  readonly timing: Timing
  readonly tell: DecisionListener
  readonly signal: AbortSignal | undefined
}

/** How a request ended after all its attempts. */
export type Settled =
  | { readonly kind: 'answered'; readonly response: Response; readonly attempts: number }
  | { readonly kind: 'failed'; readonly error: GatewayError; readonly mayHaveHappened: boolean }
  /** The caller's signal ended it. */
  | { readonly kind: 'aborted'; readonly mayHaveHappened: boolean }

/** How long an address that cannot be reached is tried, while nothing was sent that could have taken effect. */
export const UNREACHABLE_MS = 8_000

/** Attempts the same request until an answer settles it, or time or attempts are used up. Never rejects. */
export async function replay(options: ReplayOptions): Promise<Settled> {
  const { operationId, timing, backoff, tell, signal, maxAttempts } = options
  const startedAt = timing.elapsed()
  const deadline = startedAt + options.timeoutMs
  let unreachableSince: number | null = null
  let { mayHaveHappened } = options

  for (let attempts = 1; ; attempts++) {
    const attemptedAt = timing.elapsed()
    const attempt = await options.attempt(Math.min(options.attemptTimeoutMs, deadline - attemptedAt), mayHaveHappened)
    if (attempt.kind === 'answered') return { ...attempt, attempts }
    if (attempt.kind === 'aborted') return { kind: 'aborted', mayHaveHappened: mayHaveHappened || attempt.wasSent }

    const { error, verdict } = attempt
    mayHaveHappened = mayStillHaveHappened(mayHaveHappened, verdict)
    unreachableSince = error instanceof NotSentError ? (unreachableSince ?? attemptedAt) : null
    const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : null
    const delayMs = retryDelayMs(backoff, attempts, timing.random(), retryAfterMs)
    const until =
      unreachableSince === null || mayHaveHappened ? deadline : Math.min(deadline, unreachableSince + UNREACHABLE_MS)
    const about = { operationId, ...describeFailure(attempt) }
    if (
      options.isReplayable(verdict, mayHaveHappened) &&
      attempts < maxAttempts &&
      timing.elapsed() + delayMs < until
    ) {
      tell({ kind: 'replay', ...about, attempt: attempts, delayMs, retryAfterMs })
      try {
        await sleep(timing, delayMs, signal)
      } catch {
        return { kind: 'aborted', mayHaveHappened }
      }
      // A timer may be late: an attempt without any time would only cast doubt on what is known.
      if (timing.elapsed() < deadline) continue
    }
    // A final answer is nothing to decide about.
    if (verdict.isPassing) tell({ kind: 'give-up', ...about, attempts, elapsedMs: timing.elapsed() - startedAt })
    return { kind: 'failed', error, mayHaveHappened }
  }
}

/** A refusal clears earlier doubts only when it is final for the key. */
const mayStillHaveHappened = (before: boolean, { effect }: Verdict): boolean =>
  effect === 'unknown' || (before && effect === 'none')
