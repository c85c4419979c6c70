import type { operations } from '../generated/gateway.ts'
import type { OPERATIONS } from '../generated/operations.ts'

/** The operations that are called with an API key: all that act for a subject. */
export type BearerOperationId = {
  [Id in keyof typeof OPERATIONS]: operations[Id]['parameters']['header'] extends { 'X-Service-Subject': string }
    ? Id
    : never
}[keyof typeof OPERATIONS]

/** The operations that the gateway in memory has. */
export type TestedOperationId = BearerOperationId | 'receiveWebhook'

type Success<Id extends TestedOperationId> = operations[Id]['responses'][Extract<
  keyof operations[Id]['responses'],
  200 | 201 | 202
>]

/** The JSON that an operation answers with, as the contract types it; never where it answers with something else. */
export type AnswerBody<Id extends TestedOperationId> =
  Success<Id> extends { content: { 'application/json': infer Body } } ? Body : never
