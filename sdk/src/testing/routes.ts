import { notFound } from '../../../openapi/src/behaviour/refusal.ts'
import { CONTRACT, type ContractOperation } from '../generated/contract.ts'
import { createConversation, getConversation, listConversations, listMessages } from './conversations.ts'
import { streamConversationEvents, streamRunEvents } from './event-stream.ts'
import type { Handler, TestedRequest } from './handler.ts'
import type { BearerOperationId } from './operations.ts'
import { createResource, deleteResource, getResource, getResourceContent, putResourceContent } from './resources.ts'
import { answer, type Outcome, raw } from './respond.ts'
import type { GatewayState } from './state.ts'
import { cancelRun, createRun, getOperation, getRun, resetConversation, sendMessage } from './work.ts'

/** A service of the in-memory gateway accepts any data and any attachment. */
const getAgentEndpoint: Handler<'getAgentEndpoint'> = (state, { ids: { endpoint_id } }) =>
  state.isEndpoint(endpoint_id)
    ? answer(200, {
        endpoint_id,
        name: null,
        binding_version: 1,
        accepts: ['*/*'],
        input_schema: null,
        output_schema: null,
      })
    : notFound('service')

const HANDLERS: { readonly [Id in BearerOperationId]?: Handler<Id> } = {
  createConversation,
  listConversations,
  getConversation,
  sendMessage,
  listMessages,
  streamConversationEvents,
  resetConversation,
  getRun,
  streamRunEvents,
  cancelRun,
  getOperation,
  getAgentEndpoint,
  createRun,
  createResource,
  getResource,
  deleteResource,
  getResourceContent,
  putResourceContent,
}

/** Executes the operation. An operation without a handler answers with the contract's example. */
export const carryOut = <Id extends BearerOperationId>(
  state: GatewayState,
  request: TestedRequest<Id>,
): Outcome | Promise<Outcome> => {
  const handler: Handler<Id> | undefined = HANDLERS[request.operationId]
  return handler === undefined ? exampleOf(CONTRACT[request.operationId]) : handler(state, request)
}

export const exampleOf = ({ status, example }: ContractOperation): Outcome =>
  example === undefined ? raw(status, null) : answer(status, example)
