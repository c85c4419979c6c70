import type { Trouble } from '../client/decision.ts'
import { ApiError, type GatewayError, StreamInterruptedError } from '../errors.ts'
import { describeFailure } from '../transport/attempt.ts'
import { retryDelayMs } from '../transport/retry-timing.ts'
import type { StreamSource } from './stream-source.ts'

/** How long a subscription goes on although its connections fail. */
export interface Patience {
  /** A sign of life: failures count anew. */
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
      // Never below the own base, so that `retry: 0` does not make a hot loop.
      const baseMs = Math.max(backoff.baseMs, retryMs)
      const delayMs = retryDelayMs({ ...backoff, baseMs }, failures, timing.random(), retryAfterMs)
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
