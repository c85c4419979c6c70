import type { Fault, Refusal } from '../behaviour/refusal.ts'
import { LISTED_FAULTS } from '../behaviour/refusal.ts'
import { ERRORS } from '../generated/errors.ts'
import type { Problem } from '../generated/gateway.ts'
import type { Outcome, RawAnswer } from './outcome.ts'

/** The outcome as it goes on the wire: JSON, other content, and problem+json for refusals (D-08). */
export const respond = (outcome: Outcome<unknown> | RawAnswer, requestId: string): Response => {
  if (outcome.kind === 'refused') return respondProblem(outcome, requestId)
  const headers = { 'x-request-id': requestId, ...outcome.headers }
  const { status } = outcome
  return outcome.kind === 'raw'
    ? new Response(outcome.content, { status, headers: { ...framing(outcome.content), ...headers } })
    : respondJson(outcome.body, status, { 'content-type': 'application/json', ...headers })
}

/** Long enough to be noticed, short enough for tests that wait for real. */
const RETRY_AFTER_SECONDS = 1

const respondProblem = (refusal: Refusal, requestId: string): Response => {
  const { code, detail, faults, retryAfterSeconds = RETRY_AFTER_SECONDS } = refusal
  const { status } = ERRORS[code]
  const problem: Problem = {
    type: `/docs/errors#${code}`,
    title: inWords(code),
    status,
    detail,
    code,
    request_id: requestId,
    ...(faults === undefined ? {} : listFaults(faults)),
  }
  return respondJson(problem, status, {
    'content-type': 'application/problem+json',
    'x-request-id': requestId,
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 429 || status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {}),
  })
}

const listFaults = (faults: readonly Fault[]): Pick<Problem, 'errors' | 'more_faults'> => ({
  errors: faults.slice(0, LISTED_FAULTS).map(({ pointer, message }) => ({ pointer, message })),
  ...(faults.length > LISTED_FAULTS ? { more_faults: true } : {}),
})

const respondJson = (body: unknown, status: number, headers: Record<string, string>): Response => {
  const json = JSON.stringify(body)
  return new Response(json, { status, headers: { ...framing(json), ...headers } })
}

/**
 * How a body's end is told. Without it, msw's connections in Node end with the body, and a stream that breaks looks
 * like one that ended.
 */
const framing = (content: RawAnswer['content']): Record<string, string> => {
  if (content === null) return {}
  if (content instanceof ReadableStream) return { 'transfer-encoding': 'chunked' }
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { 'content-length': String(bytes.byteLength) }
}

/** `QUEUE_FULL` is `Queue full`. */
const inWords = (code: string): string => code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')
