import type { operations } from '../generated/gateway.ts'
import type { StreamCut } from './faults.ts'
import type { BearerOperationId } from './operations.ts'
import type { Outcome } from './respond.ts'
import type { GatewayState } from './state.ts'

type Parameters<Id extends BearerOperationId> = operations[Id]['parameters']

/** The page limit has a default in the contract, so it is always set. */
type WithLimit<Query> = 'limit' extends keyof Query ? Query & { readonly limit: number } : Query

type JsonBody<Id extends BearerOperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : undefined

/** An authenticated request that conforms to the contract. */
export interface TestedRequest<Id extends BearerOperationId = BearerOperationId> {
  readonly operationId: Id
  readonly subject: string
  readonly ids: NonNullable<Parameters<Id>['path']>
  readonly query: WithLimit<NonNullable<Parameters<Id>['query']>>
  readonly header: Parameters<Id>['header']
  readonly body: JsonBody<Id>
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where the stream of this request breaks; null if it does not. */
  readonly cut: StreamCut | null
}

type Success<Id extends BearerOperationId> = operations[Id]['responses'][Extract<
  keyof operations[Id]['responses'],
  200 | 201 | 202
>]

/** The JSON type of an operation's answer; `never` for other kinds of answers. */
type AnswerBody<Id extends BearerOperationId> =
  Success<Id> extends { content: { 'application/json': infer Body } } ? Body : never

/** The handler of an operation, with the answer type of the contract. */
export type Handler<Id extends BearerOperationId> = (
  state: GatewayState,
  request: TestedRequest<Id>,
) => Outcome<AnswerBody<Id>> | Promise<Outcome<AnswerBody<Id>>>
