import type { Admitted, Found, FoundJson, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { ERRORS } from '@conversation-gateway/openapi/generated/errors'
import { IDEMPOTENCY_KEY_HEADER } from '@conversation-gateway/openapi/generated/limits'
import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import type { FastifyReply } from 'fastify'
import { fingerprint } from '../domain/fingerprint.ts'
import type { Audit } from '../gateway/admin/audit.ts'
import type { InTurn, ReadAtPace } from '../gateway/fairness/fairness.ts'
import type { EventSink } from '../gateway/stream/event-sink.ts'
import type { OpenedStream } from '../gateway/stream/open-stream.ts'
import { DatabaseUnavailable } from '../store/db.ts'
import type { Log } from './observe.ts'
import type { Download } from './operation.ts'
import { takesStream } from './requests/body.ts'
import type { RequestInput } from './requests/read-request.ts'

/** The dependencies of operations. */
export interface PerformContext {
  readonly log: Log
  /** How long an operation of the public API may take, in milliseconds. */
  readonly deadlineMs: number
  readonly audit: Audit
  readonly inTurn: InTurn
  /** Null if large reads do not delay others. */
  readonly readAtPace: ReadAtPace | null
  /** Takes the connection over for an event stream. */
  readonly beginStream: (reply: FastifyReply) => EventSink
}

/** A handler with its types erased: the contract's validators accept only what the generated types describe. */
export type ErasedHandler = (request: never) => Promise<ErasedOutcome>
export type ErasedOutcome = Admitted<unknown> | Found<unknown> | FoundJson<unknown> | Refusal | OpenedStream | Download

/** Performs the operation of an admitted, valid request. */
export type Perform = (reply: FastifyReply, input: RequestInput) => Promise<ErasedOutcome>

export const createPerform = (handler: ErasedHandler, info: OperationInfo, context: PerformContext): Perform => {
  const perform = callHandler(handler, info, context)
  if (info.security === 'adminToken') return withAudit(perform, info, context)
  // The client determines the duration of a stream or upload, so neither takes a turn of its application or has a
  // deadline.
  if (info.security !== 'apiKey' || info.isStream || takesStream(info)) return perform
  return withDeadline(inTurn(perform, info, context), info, context)
}

const callHandler = (
  handler: ErasedHandler,
  { method, path: route, idempotent }: OperationInfo,
  { beginStream }: PerformContext,
): Perform => {
  return (reply, { ids, path, query, header, body, json }) => {
    const { caller, tenant, operator, device, traceparent } = reply.request.exchange
    const idempotency = idempotent
      ? {
          key: header[IDEMPOTENCY_KEY_HEADER],
          fingerprint: fingerprint({ method, route, pathIds: ids, body: json }),
          traceparent,
        }
      : null
    const input = {
      caller,
      tenant,
      operator,
      device,
      idempotency,
      path: { ...ids, ...path },
      query,
      header,
      body,
      reply,
      connect: () => beginStream(reply),
    }
    return handler(input as never)
  }
}

/** The query parameter by which an operator requests the contents of messages. */
const INCLUDE_TEXT = 'include_text'

/** Records a change, or a read of message contents, before executing it; records its outcome on a best-effort basis. */
const withAudit = (
  perform: Perform,
  { method, operationId, successStatus }: OperationInfo,
  { audit, log }: PerformContext,
): Perform => {
  return async (reply, input) => {
    const { id: requestId, exchange } = reply.request
    const readsText = input.query[INCLUDE_TEXT] === true
    if (exchange.operator === null || (method === 'GET' && !readsText)) return perform(reply, input)
    const settle = await audit({
      operator: exchange.operator,
      operation: operationId,
      requestId,
      target: input.ids,
      body: readsText ? { [INCLUDE_TEXT]: true } : input.body,
    })
    const outcome = await perform(reply, input)
    const ended =
      outcome.kind === 'refused'
        ? { status: ERRORS[outcome.code].status, code: outcome.code, body: null }
        : {
            status: 'status' in outcome ? outcome.status : successStatus,
            code: null,
            body: 'body' in outcome ? outcome.body : null,
          }
    await settle(ended).catch((error: unknown) =>
      log.error({ err: error }, 'the outcome of a change could not be recorded'),
    )
    return outcome
  }
}

/** Larger answers are treated as large reads. */
const LARGE_ANSWER_BYTES = 64 * 1024

/** Waits for the application's turn. Reads also wait behind large reads of the same application. */
const inTurn = (perform: Perform, { method }: OperationInfo, context: PerformContext): Perform => {
  const readAtPace = method === 'GET' ? context.readAtPace : null
  return (reply, input) => {
    const { tenant } = reply.request.exchange
    if (tenant === null) return perform(reply, input)
    const performInTurn = () => context.inTurn(tenant.appId, () => perform(reply, input))
    return readAtPace === null
      ? performInTurn()
      : readAtPace(tenant.appId, { perform: performInTurn, isLarge: isLargeAnswer })
  }
}

const isLargeAnswer = (outcome: ErasedOutcome): boolean =>
  outcome.kind === 'found_json' && outcome.json.length > LARGE_ANSWER_BYTES

/** Ends the wait at the deadline. The client does not learn what the operation does afterwards. */
const withDeadline = (perform: Perform, { method }: OperationInfo, { deadlineMs }: PerformContext): Perform => {
  const outcome = method === 'GET' ? 'none' : 'unknown'
  return (reply, input) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new DatabaseUnavailable(`no outcome within ${deadlineMs} ms`, { outcome }))
      }, deadlineMs)
      perform(reply, input)
        .finally(() => clearTimeout(timer))
        .then(resolve, reject)
    })
}
