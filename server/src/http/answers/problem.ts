import type { Fault, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { LISTED_FAULTS, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { ErrorInfo } from '@conversation-gateway/openapi/generated/errors'
import { ERRORS } from '@conversation-gateway/openapi/generated/errors'
import type { Problem } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { FastifyReply } from 'fastify'
import { fitPointer } from '../../domain/json/pointer.ts'

/** The only place where an error code becomes a status and an answer (D-08, D-09). */

export const PROBLEM_TYPE = 'application/problem+json'

/** Default `Retry-After`. */
const RETRY_AFTER_SECONDS = 1

/** A refusal in wire format. */
export interface ProblemAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Problem
}

export const problemOf = (refusal: Refusal, requestId: string): ProblemAnswer => {
  const { code, detail, outcome, faults, hasMoreFaults = false } = refusal
  const { status, title }: ErrorInfo = ERRORS[code]
  return {
    status,
    headers: {
      'content-type': PROBLEM_TYPE,
      ...(status === 401 ? { 'www-authenticate': 'Bearer realm="conversation-gateway"' } : {}),
      ...(status === 429 || status === 503
        ? { 'retry-after': String(refusal.retryAfterSeconds ?? RETRY_AFTER_SECONDS) }
        : {}),
    },
    body: {
      type: `/docs/errors#${code}`,
      title,
      status,
      detail,
      code,
      request_id: requestId,
      ...(outcome === undefined ? {} : { outcome }),
      ...(faults === undefined ? {} : { errors: faults.slice(0, LISTED_FAULTS).map(listFault) }),
      ...(hasMoreFaults || (faults?.length ?? 0) > LISTED_FAULTS ? { more_faults: true } : {}),
    },
  }
}

const listFault = ({ pointer, message }: Fault): Fault => ({ pointer: fitPointer(pointer), message })

/** Answers a request with a refusal. */
export const sendRefusal = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  const { request } = reply
  request.exchange.code = refusal.code
  const { status, headers, body } = problemOf(refusal, request.id)
  // As bytes, because the framework adds a charset to string bodies, which this media type must not have.
  return reply
    .code(status)
    .headers(headers)
    .send(Buffer.from(JSON.stringify(body)))
}

/** A fault of the gateway. The cause is logged under the request's ID, and never sent. */
export const INTERNAL = refuse('INTERNAL', ERRORS.INTERNAL.description)
