import assert from 'node:assert/strict'
import { AnswerError } from '../failure.ts'
import { nameRequest } from './operations.ts'
import type { Answer } from './wire.ts'

/** The answer, if it has this status. @throws {AnswerError} that shows what came instead. */
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
 * The refusal, if it has this status and names this code. Where a code stands is left open by the specification (D-08
 * decides it), so any string value of the body may be it.
 */
export function expectRefusal(answer: Answer, status: number, code?: string): Answer {
  const { request, body, text } = expectStatus(answer, status)
  if (code === undefined || namesCode(body, code)) return answer
  throw new AnswerError(
    `expected ${status} ${code} from ${request.method} ${request.path}, but no member of the body says ${code}: ${text.slice(0, 400)}`,
    `an answer ${status} does not say ${code}`,
  )
}

/** Whether any member of a body, however deep, is this text. */
export const namesCode = (value: unknown, code: string): boolean => {
  if (typeof value === 'string') return value === code
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((member) => namesCode(member, code))
}

/** Fails unless the answer says in whole seconds when to try again. */
export function expectRetryAfter(answer: Answer): void {
  const value = answer.headers['retry-after']
  assert.ok(value !== undefined, `the ${answer.status} has no Retry-After`)
  assert.match(value, /^\d+$/, 'Retry-After in whole seconds')
}
