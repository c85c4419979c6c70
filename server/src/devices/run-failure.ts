import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'

/** Ends a run for a reason that is not the assistant's. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly outcome: RunOutcome
  constructor(outcome: RunOutcome) {
    super('the run cannot go on')
    this.outcome = outcome
  }
}
