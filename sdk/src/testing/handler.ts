import type { operations } from '../generated/gateway.ts'
import type { StreamCut } from './faults.ts'
import type { BearerOperationId } from './operations.ts'
import type { Outcome } from './respond.ts'
import type { GatewayState } from './state.ts'

type Parameters<Id extends BearerOperationId> = operations[Id]['parameters']

/** The parameter that bounds a page has a default in the contract, so that it is always there. */
type WithLimit<Query> = 'limit' extends keyof Query ? Query & { readonly limit: number } : Query

type JsonBody<Id extends BearerOperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : undefined

/** An authenticated request that fulfils the contract. */
export interface TestedRequest<Id extends BearerOperationId = BearerOperationId> {
  readonly operationId: Id
  readonly subject: string
  readonly ids: NonNullable<Parameters<Id>['path']>
  readonly query: WithLimit<NonNullable<Parameters<Id>['query']>>
  readonly header: Parameters<Id>['header']
  readonly body: JsonBody<Id>
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where the stream that this request opens is to break; null for streams that do not. */
  readonly cut: StreamCut | null
}

type Success<Id extends BearerOperationId> = operations[Id]['responses'][Extract<
  keyof operations[Id]['responses'],
  200 | 201 | 202
>]

/** The JSON that an operation answers with, as the contract types it; never where it answers with something else. */
type AnswerBody<Id extends BearerOperationId> =
  Success<Id> extends { content: { 'application/json': infer Body } } ? Body : never

/** What an operation does, with the answer that the contract types. */
export type Handler<Id extends BearerOperationId> = (
  state: GatewayState,
  request: TestedRequest<Id>,
) => Outcome<AnswerBody<Id>> | Promise<Outcome<AnswerBody<Id>>>
