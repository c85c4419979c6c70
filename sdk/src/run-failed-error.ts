import { GatewayError } from './errors.ts'
import type { RunError, RunState } from './generated/gateway.ts'

/** The run of a reply ended without success. What had come of its text is in `text`. */
export class RunFailedError extends GatewayError {
  override readonly name = 'RunFailedError'
  readonly runId: string
  /** `failed`, `cancelled`, `interrupted`, `expired`, or an end of a later gateway. */
  readonly state: RunState
  /** Why it failed; null for the other ends. */
  readonly error: RunError | null
  /** The text so far: half an answer. */
  readonly text: string

  constructor({ runId, state, error, text }: Pick<RunFailedError, 'runId' | 'state' | 'error' | 'text'>) {
    super(`Run ${runId} ended ${state}${error === null ? '' : `: ${error.code}: ${error.message}`}`)
    this.runId = runId
    this.state = state
    this.error = error
    this.text = text
  }
}
