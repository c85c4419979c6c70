import type { operations } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import { cancelRun } from '../../gateway/cancel-run.ts'
import type { GatewayContext } from '../../gateway/context.ts'
import { createConversation } from '../../gateway/create-conversation.ts'
import { createRun } from '../../gateway/create-run.ts'
import * as records from '../../gateway/read-records.ts'
import { createWebhookReceiver } from '../../gateway/receive-webhook.ts'
import { resetConversation } from '../../gateway/reset-conversation.ts'
import * as resources from '../../gateway/resources.ts'
import { sendMessage } from '../../gateway/send-message.ts'
import type { StreamContext } from '../../gateway/stream/open-stream.ts'
import { openEventStream } from '../../gateway/stream/open-stream.ts'
import type { Handlers } from '../operation.ts'
import { createMappedBodyParser } from '../requests/mapped-bodies.ts'
import { readDelivery } from './read-delivery.ts'
import { serveDownload } from './serve-download.ts'

export type GatewayHandlers = Handlers<operations, typeof OPERATIONS>

/** The public API. */
export const createGatewayHandlers = (context: GatewayContext, streams: StreamContext): GatewayHandlers => {
  const receiveWebhook = createWebhookReceiver(context, createMappedBodyParser())
  return {
    createConversation: ({ tenant, idempotency, body }) => createConversation(context, tenant, idempotency, body),

    listConversations: ({ tenant, query }) => records.listConversations(context, tenant, query),

    getConversation: ({ tenant, path }) => records.readConversation(context, tenant, path.conversation_id),

    resetConversation: ({ tenant, path, idempotency, body }) =>
      resetConversation(context, tenant, path.conversation_id, idempotency, body),

    sendMessage: ({ tenant, caller, path, idempotency, body }) =>
      sendMessage(context, tenant, idempotency, { app: caller, conversationId: path.conversation_id, body }),

    listMessages: ({ tenant, path, query }) => records.readMessages(context, tenant, path.conversation_id, query),

    getAgentEndpoint: ({ tenant, path }) => records.readEndpoint(context, tenant, path.endpoint_id),

    createRun: ({ tenant, caller, path, idempotency, body }) =>
      createRun(context, tenant, idempotency, { app: caller, endpointId: path.endpoint_id, body }),

    getRun: ({ tenant, path }) => records.readRun(context, tenant, path.run_id),

    cancelRun: ({ tenant, path, idempotency }) => cancelRun(context, tenant, path.run_id, idempotency),

    getOperation: ({ tenant, path }) => records.readOperation(context, tenant, path.operation_id),

    createResource: ({ tenant, idempotency, body }) => resources.createResource(context, tenant, idempotency, body),

    getResource: ({ tenant, path }) => resources.readResource(context, tenant, path.resource_id),

    putResourceContent: ({ tenant, path, body }) =>
      resources.putResourceContent(context, tenant, path.resource_id, body),

    getResourceContent: async ({ tenant, path }) =>
      serveDownload(await resources.readResourceContent(context, tenant, path.resource_id)),

    deleteResource: ({ tenant, path }) => resources.deleteResource(context, tenant, path.resource_id),

    receiveWebhook: ({ path, body, reply }) => receiveWebhook(readDelivery(reply.request, path.integration_id, body)),

    streamConversationEvents: ({ tenant, path, query, header, connect }) => {
      const position = { lastEventId: header['Last-Event-ID'], after: query.after }
      return openEventStream(streams, tenant, { conversationId: path.conversation_id }, position, connect)
    },

    streamRunEvents: ({ tenant, path, query, header, connect }) => {
      const position = { lastEventId: header['Last-Event-ID'], after: query.after }
      return openEventStream(streams, tenant, { runId: path.run_id }, position, connect)
    },
  }
}
