import type { Check } from './check.ts'
import { describeAssertion, hasGeneratedMessage } from './difference.ts'
import { messageOf } from './message-of.ts'
import { RULES } from './rules.ts'

/** Why a check failed, as worded in the report. */
export interface Failure {
  readonly message: string
  /** Common cause of failures with the same origin. Reports group failures by it. */
  readonly cause: string
}

/** An unexpected or missing answer. It fails every check that depends on it in the same way. */
export class AnswerError extends Error {
  /** What the server does: `Create a conversation (POST /api/v1/conversations) answers 200 instead of 201`. */
  readonly because: string

  constructor(message: string, because: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AnswerError'
    this.because = because
  }
}

/** No usable answer: the connection failed, the answer was not HTTP, or it did not end in time. */
export class NoAnswerError extends AnswerError {
  override name = 'NoAnswerError'
}

/** A part of the configuration failed: its driver, its control URL or its receiver. The server is not at fault. */
export class DriverError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DriverError'
  }
}

export interface FailedCheck {
  readonly check: Pick<Check<never>, 'title' | 'rules'>
  /** The last received answer, for a check that could not interpret it. */
  readonly lastAnswer?: string | undefined
}

export function describeFailure(error: unknown, { check, lastAnswer }: FailedCheck): Failure {
  if (error instanceof AnswerError) return { message: error.message, cause: error.because }
  if (hasGeneratedMessage(error)) {
    const message = describeAssertion(error) ?? `not true: ${check.title}${describeLast(lastAnswer)}`
    const [rule] = check.rules
    return { message, cause: `${rule} ${RULES.get(rule)?.title ?? ''}: ${generalise(message)}` }
  }
  const text = messageOf(error)
  const message = isShapeError(error) ? describeShapeError(text, lastAnswer) : text
  return { message, cause: generalise(message) }
}

/** Whether it is an error that a value of unexpected shape causes in the code of a check. */
const isShapeError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError

const describeShapeError = (text: string, lastAnswer: string | undefined): string => {
  const member = /reading '([^']+)'/.exec(text)?.[1]
  const what = member === undefined ? 'a value has another type' : `the value that should contain ${member} is missing`
  return `an answer has an unexpected shape: ${what}${describeLast(lastAnswer)}`
}

const describeLast = (lastAnswer: string | undefined): string =>
  lastAnswer === undefined ? '' : `; the last answer was ${lastAnswer}`

const CAUSE_CHARACTERS = 160

/** Returns the start of the first line without parts that differ between checks: bodies, IDs, times and quantities. */
const generalise = (message: string): string =>
  (message.split('\n', 1)[0] ?? '')
    // The message of a check that tries several bodies begins with the one that failed.
    .replace(/^\{.*?\}: /, '')
    .replace(/\{.*$/, '…')
    .replace(/\b([a-z]{2,4})_[\w-]{8,}/g, '$1_…')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '…')
    .replace(/\b[\w]+-[0-9a-f]{12,}\b/g, '…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replace(/\b(\d+)(?= (?:ms|s|events|bytes|times)\b)/g, 'n')
    .trim()
    .slice(0, CAUSE_CHARACTERS)
