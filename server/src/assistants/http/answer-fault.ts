import type { AssistantOutcome } from '../assistant.ts'
import { fail } from '../assistant.ts'

/**
 * The codes of a missing or invalid answer, with the message in the run's error, and whether a retry may succeed.
 * ASSISTANT_ERROR: the answer contains something other than a step.
 */
const FAULTS = {
  ASSISTANT_UNREACHABLE: { message: 'The assistant could not be reached.', retryable: true },
  ASSISTANT_TLS_FAILED: { message: 'The secure connection to the assistant failed.', retryable: false },
  ASSISTANT_TIMEOUT: { message: 'The assistant did not begin to answer in time.', retryable: true },
  ASSISTANT_REFUSED: { message: 'The assistant refused the run.', retryable: false },
  ASSISTANT_UNAVAILABLE: { message: 'The assistant answered with an error.', retryable: true },
  ASSISTANT_ANSWER_INVALID: { message: 'The assistant gave an answer that cannot be read.', retryable: false },
  ASSISTANT_LINE_TOO_LONG: { message: 'The assistant sent a line of more than 1 MiB.', retryable: false },
  ASSISTANT_STATE_TOO_LARGE: { message: 'The assistant gave a state of more than 64 KiB.', retryable: false },
  ASSISTANT_DISCONNECTED: { message: 'The answer of the assistant stopped before its end.', retryable: true },
  ASSISTANT_ERROR: { message: 'The assistant failed.', retryable: false },
} as const

type AnswerFaultCode = keyof typeof FAULTS

/**
 * A missing or invalid answer. The error's message tells the operator what was expected and what arrived; it contains
 * neither the URL nor the secret.
 */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault'
  readonly code: AnswerFaultCode

  constructor(code: AnswerFaultCode, message: string) {
    super(message)
    this.code = code
  }

  /** The outcome of the run. */
  get outcome(): AssistantOutcome {
    const { message, retryable } = FAULTS[this.code]
    return fail(this.code, message, { retryable })
  }
}
