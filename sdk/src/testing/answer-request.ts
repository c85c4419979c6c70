import { NO_ROUTE } from '../../../openapi/src/behaviour/requests/refused-requests.ts'
import { CONTRACT } from '../generated/contract.ts'
import { enter, requestIdOf } from './door.ts'
import type { Fault, FaultQueue } from './faults.ts'
import { instead, isCut } from './faults.ts'
import type { TestedRequest } from './handler.ts'
import { type FoundOperation, findOperation } from './operations.ts'
import { readRequest } from './read-request.ts'
import type { OpenRecord, RecordedRequest } from './recorded-request.ts'
import { readJsonOrNothing, recordHeaders } from './recorded-request.ts'
import { respond } from './respond.ts'
import { carryOut } from './routes.ts'
import { expireOverdue } from './runs.ts'
import type { GatewayState } from './state.ts'
import type { ReceiveWebhook } from './webhooks.ts'

export interface AnswerContext {
  readonly state: GatewayState
  readonly faults: FaultQueue
  readonly requests: RecordedRequest[]
  readonly receiveWebhook: ReceiveWebhook
  /** The only key that is let in; undefined for any. */
  readonly apiKey: string | undefined
}

/** What the gateway answers, or the fault that stands in for it: `Response.error()` where no answer arrives. */
export const answerRequest = async (context: AnswerContext, request: Request): Promise<Response> => {
  const { requests, faults, state } = context
  const found = findOperation(request)
  if (found === undefined) return respond(NO_ROUTE, requestIdOf(request.headers, state.newId))
  const fault = faults.take(found.operationId)
  const bytes = new Uint8Array(await request.arrayBuffer())
  const record: OpenRecord = {
    operation: found.operationId,
    url: request.url,
    headers: recordHeaders(request.headers),
    body: readJsonOrNothing(bytes),
    status: null,
    fault,
  }
  requests.push(record)
  const response = await answer(context, found, request, bytes, fault)
  if (fault === 'no-answer') return new Promise(() => {})
  if (fault === 'lose-answer') return Response.error()
  if (response.status > 0) record.status = response.status
  return response
}

const answer = async (
  { state, apiKey, receiveWebhook }: AnswerContext,
  { operationId, ids }: FoundOperation,
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
  fault: Fault | null,
): Promise<Response> => {
  const { headers } = request
  const requestId = requestIdOf(headers, state.newId)
  const injected = instead(fault)
  if (injected instanceof Response) return injected
  if (injected !== null) return respond(injected, requestId)
  if (operationId === 'receiveWebhook')
    return respond(await receiveWebhook(ids.integration_id ?? '', headers, bytes), requestId)
  const subject = enter(headers, apiKey)
  if (typeof subject !== 'string') return respond(subject, requestId)
  expireOverdue(state)
  const reading = readRequest(CONTRACT[operationId], request, bytes)
  if ('kind' in reading) return respond(reading, requestId)
  const cut = isCut(fault) ? fault : null
  const asked = { ...reading, operationId, subject, ids: ids as TestedRequest['ids'], bytes, cut }
  return respond(await carryOut(state, asked), requestId)
}
