import { type Refusal, refuse } from '../../../openapi/src/behaviour/refusal.ts'
import { NO_ROUTE, refuseFaults } from '../../../openapi/src/behaviour/requests/refused-requests.ts'
import { CONTRACT, PARAMETERS } from '../generated/contract.ts'
import { type Fault, type FaultQueue, instead, isCut } from './faults.ts'
import type { TestedRequest } from './handler.ts'
import { type FoundOperation, findOperation, type TestedOperationId } from './operations.ts'
import { readRequest } from './read-request.ts'
import { respond } from './respond.ts'
import { carryOut } from './routes.ts'
import { expireOverdue } from './runs.ts'
import { faultsOf } from './schema-faults.ts'
import type { GatewayState } from './state.ts'
import type { ReceiveWebhook } from './webhooks.ts'

/** A request to an operation of the gateway, for assertions. */
export interface RecordedRequest {
  readonly operation: TestedOperationId
  readonly url: string
  /** By lower-case name; `authorization` is left out, so that no key gets into test output. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON; undefined if there is no body or it is not JSON. */
  readonly body: unknown
  /** Status that the client received; null until an answer arrives. */
  readonly status: number | null
  readonly fault: Fault | null
}

/** A record whose request is still being answered. */
type OpenRecord = Omit<RecordedRequest, 'status'> & { status: number | null }

const recordHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name !== 'authorization'))

const readJsonOrNothing = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

export interface AnswerContext {
  readonly state: GatewayState
  readonly faults: FaultQueue
  readonly requests: RecordedRequest[]
  readonly receiveWebhook: ReceiveWebhook
  /** The only accepted key; undefined for any. */
  readonly apiKey: string | undefined
}

/** The gateway's answer, or the fault that replaces it: `Response.error()`, or a wait without end for `no-answer`. */
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
  const subject = authenticate(headers, apiKey)
  if (typeof subject !== 'string') return respond(subject, requestId)
  expireOverdue(state)
  const reading = readRequest(CONTRACT[operationId], request, bytes)
  if ('kind' in reading) return respond(reading, requestId)
  const cut = isCut(fault) ? fault : null
  const asked = { ...reading, operationId, subject, ids: ids as TestedRequest['ids'], bytes, cut }
  return respond(await carryOut(state, asked), requestId)
}

const SUBJECT = PARAMETERS.ServiceSubject

/** The subject of a request, after its key and its subject are validated (D-03, D-05, D-54). */
const authenticate = (headers: Headers, apiKey: string | undefined): string | Refusal => {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  if (token === undefined)
    return refuse('UNAUTHENTICATED', 'Send the API key as a bearer token in the Authorization header.')
  if (apiKey !== undefined && token !== apiKey)
    return refuse('UNAUTHENTICATED', 'The API key is not the one that the test gateway was created with.')
  const given = headers.get(SUBJECT.name)
  if (given === null) return refuseSubject('is required')
  const subject = decodeUtf8(given)
  if (subject === null) return refuseSubject('must be UTF-8')
  const [fault] = faultsOf(SUBJECT.schema, subject)
  return fault === undefined ? subject : refuseSubject(fault.message)
}

/** Decodes a header's UTF-8 bytes, which `Headers` represents as one character each. */
const decodeUtf8 = (header: string): string | null => {
  try {
    const bytes = Uint8Array.from(header, (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

const refuseSubject = (message: string): Refusal => refuseFaults({ faults: [{ pointer: SUBJECT.name, message }] })

/** The caller's request ID if it is valid, otherwise a new one (D-10). */
const requestIdOf = (headers: Headers, newId: (prefix: 'req') => string): string => {
  const given = headers.get('x-request-id')
  return given !== null && /^[\x21-\x7e]{1,128}$/.test(given) ? given : newId('req')
}
