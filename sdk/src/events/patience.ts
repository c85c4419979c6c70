import type { Trouble } from '../client/decision.ts'
import { type GatewayError, StreamInterruptedError } from '../errors.ts'
import { describeFailure } from '../transport/attempt.ts'
import { type Failing, planReconnect, retryAfterOf } from '../transport/retry.ts'
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
  let failing: Failing | null = null
  return {
    renew: () => {
      failing = null
    },
    spend: (trouble, error, retryMs, position) => {
      const about = { operationId, ...describeFailure({ trouble, error }) }
      const limits = { backoff, patienceMs, retryMs }
      const plan = planReconnect(limits, failing, error, timing.elapsed(), timing.random())
      const { elapsedMs, delayMs } = plan
      const { failures } = plan.failing
      failing = plan.failing
      if (plan.isOver) {
        tell({ kind: 'give-up', ...about, attempts: failures, elapsedMs })
        const message = `The event stream failed for ${elapsedMs} ms (${trouble}). Resume it later after ${position ?? 'its start'}.`
        throw new StreamInterruptedError(message, position, error)
      }
      tell({ kind: 'reconnect', ...about, attempt: failures, delayMs, retryAfterMs: retryAfterOf(error), position })
      return delayMs
    },
  }
}
