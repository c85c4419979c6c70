import { foundJson } from '@conversation-gateway/openapi/behaviour/refusal'
import type { operations } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import type { Handlers } from '../operation.ts'
import type { UseCases } from '../use-cases.ts'
import { readDelivery } from './read-delivery.ts'
import { serveDownload } from './serve-download.ts'
import type { ServeStream } from './serve-stream.ts'

/** The public API: what of a request each use case is given. */
export const createGatewayHandlers = (
  useCases: UseCases,
  serveStream: ServeStream,
): Handlers<operations, typeof OPERATIONS> => ({
  createConversation: ({ tenant, idempotency, body }) => useCases.createConversation(tenant, idempotency, body),

  listConversations: ({ tenant, query: { endpoint_id: endpointId, conversation_key: conversationKey, ...page } }) =>
    useCases.listConversations(tenant, {
      endpointId,
      ...(conversationKey !== undefined && { conversationKey }),
      ...page,
    }),

  getConversation: ({ tenant, path }) => useCases.readConversation(tenant, path.conversation_id),

  resetConversation: ({ tenant, path, idempotency, body }) =>
    useCases.resetConversation(tenant, path.conversation_id, idempotency, body),

  sendMessage: ({ tenant, caller, path, idempotency, body }) =>
    useCases.sendMessage(tenant, idempotency, { app: caller, conversationId: path.conversation_id, body }),

  listMessages: ({ tenant, path, query }) => useCases.readMessages(tenant, path.conversation_id, query),

  getAgentEndpoint: ({ tenant, path }) => useCases.readEndpoint(tenant, path.endpoint_id),

  createRun: ({ tenant, caller, path, idempotency, body }) =>
    useCases.createRun(tenant, idempotency, { app: caller, endpointId: path.endpoint_id, body }),

  getRun: async ({ tenant, path }) => {
    const outcome = await useCases.readRun(tenant, path.run_id)
    // Its result may be long: how long is known before it is sent.
    return outcome.kind === 'refused' ? outcome : foundJson(JSON.stringify(outcome.body))
  },

  cancelRun: ({ tenant, path, idempotency }) => useCases.cancelRun(tenant, path.run_id, idempotency),

  getOperation: ({ tenant, path }) => useCases.readOperation(tenant, path.operation_id),

  createResource: ({ tenant, idempotency, body }) => useCases.createResource(tenant, idempotency, body),

  getResource: ({ tenant, path }) => useCases.readResource(tenant, path.resource_id),

  putResourceContent: ({ tenant, path, body }) => useCases.putResourceContent(tenant, path.resource_id, body),

  getResourceContent: async ({ tenant, path }) => {
    const outcome = await useCases.readResourceContent(tenant, path.resource_id)
    return outcome.kind === 'refused' ? outcome : serveDownload(outcome.body)
  },

  deleteResource: ({ tenant, path }) => useCases.deleteResource(tenant, path.resource_id),

  receiveWebhook: ({ path, body, reply }) =>
    useCases.receiveWebhook(readDelivery(reply.request, path.integration_id, body)),

  streamConversationEvents: (request) => serveStream(request, { conversationId: request.path.conversation_id }),

  streamRunEvents: (request) => serveStream(request, { runId: request.path.run_id }),
})
