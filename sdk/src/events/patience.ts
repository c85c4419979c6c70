import type { Trouble } from '../client/decision.ts'
import { ApiError, type GatewayError, StreamInterruptedError } from '../errors.ts'
import { describeFailure } from '../transport/attempt.ts'
import { retryDelayMs } from '../transport/retry-timing.ts'
import type { StreamSource } from './stream-source.ts'

/** How long a subscription goes on although its connections fail. */
export interface Patience {
  /** Progress: failures count anew. */
  renew(): void
  /**
   * Counts a failure, tells what comes of it, and returns how long to wait before the next connection.
   * @param retryMs The time between connections that the gateway asks for.
   * @throws {StreamInterruptedError} the wait would outlast the patience.
   */
  spend(trouble: Trouble, error: GatewayError, retryMs: number, position: number | null): number
}

export const createPatience = ({
  operationId,
  timing,
  backoff,
  patienceMs,
  tell,
}: Pick<StreamSource, 'operationId' | 'timing' | 'backoff' | 'patienceMs' | 'tell'>): Patience => {
  let failures = 0
  let failingSinceMs = 0
  return {
    renew: () => {
      failures = 0
    },
    spend: (trouble, error, retryMs, position) => {
      const nowMs = timing.elapsed()
      if (failures++ === 0) failingSinceMs = nowMs
      const elapsedMs = nowMs - failingSinceMs
      const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : null
      const about = { operationId, ...describeFailure({ trouble, error }) }
      // What the gateway asks for is the least; the own backoff on top of it spreads clients that were cut off together.
      const delayMs = Math.max(retryMs + retryDelayMs(backoff, failures, timing.random(), null), retryAfterMs ?? 0)
      if (elapsedMs + delayMs > patienceMs) {
        tell({ kind: 'give-up', ...about, attempts: failures, elapsedMs })
        const message = `The event stream failed for ${elapsedMs} ms (${trouble}). Resume it later after ${position ?? 'its start'}.`
        throw new StreamInterruptedError(message, position, error)
      }
      tell({ kind: 'reconnect', ...about, attempt: failures, delayMs, retryAfterMs, position })
      return delayMs
    },
  }
}
