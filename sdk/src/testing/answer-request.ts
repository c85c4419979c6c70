import { refuse } from '../behaviour/refusal.ts'
import { enter, requestIdOf } from './door.ts'
import type { Fault, FaultQueue } from './faults.ts'
import { instead, isCut } from './faults.ts'
import { type FoundOperation, findOperation } from './find-operation.ts'
import type { OpenRecord, RecordedRequest } from './recorded-request.ts'
import { readJsonOrNothing, recordHeaders } from './recorded-request.ts'
import { respond } from './respond.ts'
import { ROUTES } from './routes.ts'
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
  if (found === undefined) {
    const refusal = refuse('NOT_FOUND', `The contract has no ${request.method} of this path.`)
    return respond(refusal, requestIdOf(request.headers, state.newId))
  }
  const fault = faults.take(found.operationId)
  const body = new Uint8Array(await request.arrayBuffer())
  const record: OpenRecord = {
    operation: found.operationId,
    url: request.url,
    headers: recordHeaders(request.headers),
    body: readJsonOrNothing(body),
    status: null,
    fault,
  }
  requests.push(record)
  const response = await answer(context, found, request, body, fault)
  if (fault === 'no-answer') return new Promise(() => {})
  if (fault === 'lose-answer') return Response.error()
  if (response.status > 0) record.status = response.status
  return response
}

const answer = async (
  { state, apiKey, receiveWebhook }: AnswerContext,
  { operationId, ids }: FoundOperation,
  { headers, url }: Request,
  body: Uint8Array<ArrayBuffer>,
  fault: Fault | null,
): Promise<Response> => {
  const requestId = requestIdOf(headers, state.newId)
  const injected = instead(fault)
  if (injected instanceof Response) return injected
  if (injected !== null) return respond(injected, requestId)
  if (operationId === 'receiveWebhook')
    return respond(await receiveWebhook(ids.integration_id ?? '', headers, body), requestId)
  const subject = enter(headers, apiKey)
  if (typeof subject !== 'string') return respond(subject, requestId)
  expireOverdue(state)
  const { searchParams: query } = new URL(url)
  const cut = isCut(fault) ? fault : null
  return respond(await ROUTES[operationId](state, { operationId, subject, ids, query, headers, body, cut }), requestId)
}
