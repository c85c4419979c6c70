import assert from 'node:assert/strict'
import { AnswerError } from '../failure.ts'
import { nameRequest } from './operations.ts'
import type { Answer } from './wire.ts'

/**
 * Returns the answer if it has one of these statuses. @throws {AnswerError} It has another status; the error shows it.
 */
export function expectStatus<Body>(answer: Answer<Body>, ...statuses: readonly number[]): Answer<Body> {
  const { request, status, text } = answer
  if (statuses.includes(status)) return answer
  const wanted = statuses.join(' or ')
  throw new AnswerError(
    `expected ${wanted} from ${request.method} ${request.path}, got ${status} ${text.slice(0, 400)}`,
    `${nameRequest(request)} answers ${status} instead of ${wanted}`,
  )
}

/**
 * Returns the refusal if it has this status and code. The specification does not say which member contains the code
 * (D-08 decides it), so any string in the body counts.
 */
export function expectRefusal(answer: Answer, status: number, code?: string): Answer {
  const { request, body, text } = expectStatus(answer, status)
  if (code === undefined || namesCode(body, code)) return answer
  throw new AnswerError(
    `expected ${status} ${code} from ${request.method} ${request.path}, but no member of the body is ${code}: ${text.slice(0, 400)}`,
    `an answer ${status} does not contain ${code}`,
  )
}

/** Whether any member of a body, at any depth, is this text. */
export const namesCode = (value: unknown, code: string): boolean => {
  if (typeof value === 'string') return value === code
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((member) => namesCode(member, code))
}

/** Fails unless the answer has a `Retry-After` in whole seconds. */
export function expectRetryAfter(answer: Answer): void {
  const value = answer.headers['retry-after']
  assert.ok(value !== undefined, `the ${answer.status} has no Retry-After`)
  assert.match(value, /^\d+$/, 'Retry-After in whole seconds')
}
