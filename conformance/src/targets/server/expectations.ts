import { AssertionError } from 'node:assert'
import type { Answer } from './wire.ts'

/** The answer, if it has this status. @throws {AssertionError} that shows what came instead. */
export function expectStatus<Body>(answer: Answer<Body>, ...statuses: readonly number[]): Answer<Body> {
  if (statuses.includes(answer.status)) return answer
  throw new AssertionError({
    message: `expected ${statuses.join(' or ')} from ${answer.request.method} ${answer.request.path}, got ${answer.status} ${answer.text.slice(0, 400)}`,
    actual: answer.status,
    expected: statuses[0],
    operator: 'expectStatus',
  })
}

/**
 * The refusal, if it has this status and names this code. Where a code stands is left open by the specification (D-08
 * decides it), so any string value of the body may be it.
 */
export function expectRefusal(answer: Answer, status: number, code?: string): Answer {
  expectStatus(answer, status)
  if (code === undefined || namesCode(answer.body, code)) return answer
  throw new AssertionError({
    message: `expected ${status} ${code} from ${answer.request.method} ${answer.request.path}, but no member of the body says ${code}: ${answer.text.slice(0, 400)}`,
    actual: answer.text,
    expected: code,
    operator: 'expectRefusal',
  })
}

const namesCode = (value: unknown, code: string): boolean => {
  if (typeof value === 'string') return value === code
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((member) => namesCode(member, code))
}
