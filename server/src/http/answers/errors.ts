import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../../store/db.ts'
import type { Log } from '../observe.ts'
import { discardBody } from '../requests/discard-body.ts'
import { INTERNAL, sendRefusal } from './problem.ts'

/** Answers exceptions: the framework's refusals, an unavailable database, and faults. */
export const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void => {
  const { raw } = request
  // A disconnected client reads no answer; the log records an incomplete request.
  const refusal = raw.destroyed && !raw.complete ? INCOMPLETE : refusalOf(error, request.method)
  if (refusal === null)
    log.error({ request_id: request.id, operation: request.exchange.operationId, err: error }, 'fault')
  else discardBody(raw, reply.raw)
  if (reply.sent) {
    // A stream that has begun cannot get an error answer; its reader resumes.
    reply.raw.destroy()
    return
  }
  // The framework closes the connection after a body error. Unread bytes would then reset the connection before the
  // client has the answer, so discard them first.
  if (reply.hasHeader('connection')) reply.removeHeader('connection')
  sendRefusal(reply, refusal ?? INTERNAL)
}

const refusalOf = (error: unknown, method: string): Refusal | null => {
  if (error instanceof DatabaseUnavailable)
    return error.outcome === 'unknown' && method !== 'GET' ? DATABASE_LOST : DATABASE_UNUSABLE
  return isFrameworkError(error) ? (FRAMEWORK_REFUSALS[error.code] ?? null) : null
}

const isFrameworkError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

const DATABASE_UNUSABLE = refuse(
  'CAPABILITY_UNAVAILABLE',
  'The gateway cannot use its database: it is unreachable, accepts no writes, or has no space. The request had no effect.',
  { retryAfterSeconds: 1 },
)

/** The request may have been carried out (D-57). */
const DATABASE_LOST = refuse(
  'CAPABILITY_UNAVAILABLE',
  'The gateway lost its database before it learned whether the request was carried out. Send the same request again, under the same key if it has one.',
  { retryAfterSeconds: 1, outcome: 'unknown' },
)

const INCOMPLETE = refuse('INVALID_REQUEST', 'The request ended early.')

const FRAMEWORK_REFUSALS: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: refuse('PAYLOAD_TOO_LARGE', 'The body is larger than the operation allows.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refuse('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type is not a valid media type.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: refuse('INVALID_REQUEST', 'The body is not as long as Content-Length says.'),
}
