import { Readable } from 'node:stream'
import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import type { FastifyReply } from 'fastify'
import type { Exchange } from '../exchange.ts'
import type { ErasedOutcome } from '../perform-operation.ts'
import { discardBody } from '../requests/discard-body.ts'
import { sendRefusal } from './problem.ts'
import { sendJson, sendJsonText } from './send-json.ts'

/** Answers with the outcome of an operation. A stream has already answered. */
export const answerOutcome = (
  reply: FastifyReply,
  { successStatus, idempotent }: OperationInfo,
  outcome: ErasedOutcome,
): void => {
  const { request } = reply
  switch (outcome.kind) {
    case 'opened':
      return
    case 'refused':
      // A streamed request body may still be arriving.
      discardBody(request.raw, reply.raw)
      sendRefusal(reply, outcome)
      return
    case 'download':
      // The answer to HEAD has no body, so do not read it.
      reply
        .code(successStatus)
        .headers(outcome.headers)
        .send(Readable.from(request.method === 'HEAD' ? [] : outcome.content))
      return
    case 'admitted':
      if (idempotent) request.exchange.admission = outcome.replayed ? 'replayed' : 'new'
      request.exchange.answerIds = idsIn(outcome.body)
      if (outcome.replayed) reply.header('idempotency-replayed', 'true')
      sendJson(reply, outcome.status, outcome.body)
      return
    case 'found_json':
      sendJsonText(reply, successStatus, outcome.json)
      return
    case 'found':
      if (outcome.body === undefined) reply.code(successStatus).send()
      else sendJson(reply, successStatus, outcome.body)
  }
}

/** The IDs of work in an answer. */
const idsIn = (body: unknown): Exchange['answerIds'] => {
  const { conversation_id, run_id, operation_id }: Readonly<Record<string, unknown>> = Object(body)
  return { conversation_id, run_id, operation_id }
}
