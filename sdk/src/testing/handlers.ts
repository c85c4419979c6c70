import { HttpHandler } from 'msw'
import { OPERATIONS } from '../generated/operations.ts'
import { enter, requestIdOf } from './door.ts'
import type { Fault, FaultQueue } from './faults.ts'
import { instead, isCut } from './faults.ts'
import type { OpenRecord, RecordedRequest } from './recorded-request.ts'
import { readJsonOrNothing, recordHeaders } from './recorded-request.ts'
import { respond } from './respond.ts'
import { isTestedOperation, ROUTES } from './routes.ts'
import { expireOverdue } from './runs.ts'
import type { GatewayState } from './state.ts'
import type { TestedOperationId } from './tested-operation.ts'

export interface HandlerContext {
  readonly state: GatewayState
  readonly faults: FaultQueue
  readonly requests: RecordedRequest[]
  /** Origin, or `*` for every one. */
  readonly baseUrl: string
  /** The only key that is let in; undefined for any. */
  readonly apiKey: string | undefined
}

type PathIds = Readonly<Record<string, string>>

/** One handler for each operation of the contract that takes an API key. */
export const createHandlers = (context: HandlerContext): HttpHandler[] =>
  Object.values(OPERATIONS).flatMap(({ operationId, method, path }) => {
    if (!isTestedOperation(operationId)) return []
    const pattern = context.baseUrl + path.replaceAll(/\{(\w+)\}/g, ':$1')
    return new HttpHandler(method, pattern, ({ request, params }: { request: Request; params: PathIds }) =>
      answerRecorded(context, operationId, request, params),
    )
  })

const answerRecorded = async (
  context: HandlerContext,
  operationId: TestedOperationId,
  request: Request,
  ids: PathIds,
): Promise<Response> => {
  const { requests, faults } = context
  const fault = faults.take(operationId)
  const body = new Uint8Array(await request.arrayBuffer())
  const record: OpenRecord = {
    operation: operationId,
    url: request.url,
    headers: recordHeaders(request.headers),
    body: readJsonOrNothing(body),
    status: null,
    fault,
  }
  requests.push(record)
  const response = await answer(context, operationId, request, ids, body, fault)
  if (fault === 'no-answer') return new Promise(() => {})
  if (fault === 'lose-answer') return Response.error()
  if (response.status > 0) record.status = response.status
  return response
}

const answer = async (
  { state, apiKey }: HandlerContext,
  operationId: TestedOperationId,
  { headers, url }: Request,
  ids: PathIds,
  body: Uint8Array<ArrayBuffer>,
  fault: Fault | null,
): Promise<Response> => {
  const requestId = requestIdOf(headers, state.newId)
  const injected = instead(fault)
  if (injected instanceof Response) return injected
  if (injected !== null) return respond(injected, requestId)
  const subject = enter(headers, apiKey)
  if (typeof subject !== 'string') return respond(subject, requestId)
  expireOverdue(state)
  const { searchParams: query } = new URL(url)
  const cut = isCut(fault) ? fault : null
  return respond(await ROUTES[operationId](state, { operationId, subject, ids, query, headers, body, cut }), requestId)
}
