import type { Admitted, Found, FoundJson, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import type { FastifyReply } from 'fastify'
import type { Taken } from '../domain/message-input.ts'
import type { Caller } from '../gateway/access/authenticate.ts'
import type { DeviceIdentity } from '../gateway/access/device-gate.ts'
import type { OperatorIdentity } from '../gateway/access/operator-gate.ts'
import type { EventSink } from '../gateway/stream/event-sink.ts'
import type { OpenedStream } from '../gateway/stream/open-stream.ts'
import type { IdempotentRequest } from '../writer/idempotency.ts'

/**
 * The argument and result types of a handler, derived from the contract's types (`operations`) and its behaviour table.
 */

/** A generated behaviour table: `OPERATIONS`, `ADMIN_OPERATIONS` or `WORKER_OPERATIONS`. */
export type OperationTable = Readonly<Record<string, OperationInfo>>

type Parameters<Op, Place extends string> = Op extends { parameters: { [P in Place]?: infer Values } }
  ? Exclude<Values, undefined> extends never
    ? NoParameters
    : Exclude<Values, undefined>
  : NoParameters
type NoParameters = Readonly<Record<never, never>>

/** The page limit has a default in the contract, so it is always set. */
type WithPageLimit<Query, Info> = Info extends { pageLimit: infer Limit extends string }
  ? Query & { [Name in Limit]: number }
  : Query

type Body<Op, Info> = Info extends { security: 'webhookSignature' }
  ? AsyncIterable<Uint8Array>
  : Op extends { requestBody: { content: { 'application/json': infer Json } } }
    ? Taken<Json>
    : Op extends { requestBody: { content: object } }
      ? AsyncIterable<Uint8Array>
      : undefined

/** The body of the successful answer; undefined if it has none. */
export type Answer<Op> = Op extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201 | 202 | 204)] extends { content: infer Content }
    ? Content extends { 'application/json': infer Json }
      ? Json
      : never
    : undefined
  : never

/**
 * The caller: an application and a subject on the public API, an operator on the operator's, a device on the workers'.
 */
type Principal<Info> = Info extends { security: 'apiKey' }
  ? { readonly caller: Caller; readonly tenant: Tenant }
  : Info extends { security: 'adminToken' }
    ? { readonly operator: OperatorIdentity }
    : Info extends { security: 'deviceKey' }
      ? { readonly device: DeviceIdentity }
      : { readonly caller: null; readonly tenant: null }

type Intention<Info> = Info extends { idempotent: true } ? { readonly idempotency: IdempotentRequest } : object

type Connection<Info> = Info extends { isStream: true }
  ? {
      /** Begins the answer; call it after all checks of the stream have passed. */
      readonly connect: () => EventSink
    }
  : object

/** A valid request. Path IDs have the form of identifiers; the use case checks their owner. */
export type OperationRequest<Op, Info> = Principal<Info> &
  Intention<Info> &
  Connection<Info> & {
    readonly path: Readonly<Parameters<Op, 'path'>>
    readonly query: Readonly<WithPageLimit<Parameters<Op, 'query'>, Info>>
    readonly header: Readonly<Parameters<Op, 'header'>>
    readonly body: Body<Op, Info>
    readonly reply: FastifyReply
  }

/** The answer is a stream of bytes. */
export interface Download {
  readonly kind: 'download'
  readonly headers: Readonly<Record<string, string>>
  readonly content: AsyncIterable<Uint8Array>
}

export type Outcome<Op> =
  | Admitted<Answer<Op>>
  | Found<Answer<Op>>
  | FoundJson<Answer<Op>>
  | Refusal
  | OpenedStream
  | Download

export type Handler<Op, Info> = (request: OperationRequest<Op, Info>) => Promise<Outcome<Op>>

/** A handler for each operation of a table; a missing or additional one does not compile. */
export type Handlers<Operations, Table extends OperationTable> = {
  readonly [Id in keyof Table & keyof Operations]: Handler<Operations[Id], Table[Id]>
}
