import { LISTED_FAULTS, type Refusal } from '../../../openapi/src/behaviour/refusal.ts'
import { TITLES } from '../generated/contract.ts'
import { ERRORS } from '../generated/errors.ts'
import type { Problem } from '../generated/gateway.ts'

/** The answer of an operation; its body is sent as JSON. */
export interface Answer<Body> {
  readonly kind: 'answered'
  readonly status: number
  readonly body: Body
}

/** An answer with ready bytes: stored JSON, an attachment, an event stream, or nothing. */
export interface RawAnswer {
  readonly kind: 'raw'
  readonly status: number
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null
  readonly headers: Readonly<Record<string, string>>
}

export type Outcome<Body = unknown> = Answer<Body> | RawAnswer | Refusal

export const answer = <Body>(status: number, body: Body): Answer<Body> => ({ kind: 'answered', status, body })

export const raw = (
  status: number,
  content: RawAnswer['content'],
  headers: Readonly<Record<string, string>> = {},
): RawAnswer => ({ kind: 'raw', status, content, headers })

export const rawJson = (status: number, json: string, headers: Readonly<Record<string, string>> = {}): RawAnswer =>
  raw(status, json, { 'content-type': 'application/json', ...headers })

/** The outcome as a response. */
export const respond = (outcome: Outcome, requestId: string): Response => {
  const { status, content, headers } = writtenOut(outcome, requestId)
  return new Response(content, { status, headers: { ...framing(content), 'x-request-id': requestId, ...headers } })
}

const writtenOut = (outcome: Outcome, requestId: string): RawAnswer => {
  if (outcome.kind === 'raw') return outcome
  if (outcome.kind === 'refused') return problemOf(outcome, requestId)
  return rawJson(outcome.status, JSON.stringify(outcome.body))
}

/** Long enough to be noticed, short enough for tests that really wait. */
const RETRY_AFTER_SECONDS = 1

/** A refusal as problem+json (D-08). */
const problemOf = (refusal: Refusal, requestId: string): RawAnswer => {
  const { code, detail, faults, retryAfterSeconds = RETRY_AFTER_SECONDS } = refusal
  const { status } = ERRORS[code]
  const problem: Problem = {
    type: `/docs/errors#${code}`,
    title: TITLES[code],
    status,
    detail,
    code,
    request_id: requestId,
    ...(faults === undefined
      ? {}
      : { errors: faults.slice(0, LISTED_FAULTS).map(({ pointer, message }) => ({ pointer, message })) }),
    ...((faults?.length ?? 0) > LISTED_FAULTS ? { more_faults: true } : {}),
  }
  return raw(status, JSON.stringify(problem), {
    'content-type': 'application/problem+json',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 429 || status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {}),
  })
}

/**
 * Marks how the body's end is framed. Without it, msw's connections in Node end with the body, and a broken stream
 * looks like a complete one.
 */
const framing = (content: RawAnswer['content']): Record<string, string> => {
  if (content === null) return {}
  if (content instanceof ReadableStream) return { 'transfer-encoding': 'chunked' }
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { 'content-length': String(bytes.byteLength) }
}
