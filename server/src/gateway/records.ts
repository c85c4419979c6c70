import { messageJson } from '@conversation-gateway/openapi/behaviour/message-record'
import type { SnapshotParts } from '@conversation-gateway/openapi/behaviour/snapshot-budget'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type {
  Control,
  Conversation,
  Operation,
  Resource,
  Run,
} from '@conversation-gateway/openapi/generated/gateway-closed'
import type { StoredConversation } from '../store/conversations.ts'
import type { StoredSnapshot } from '../store/history/snapshot.ts'
import type { StoredOperation } from '../store/operations.ts'
import type { StoredResource } from '../store/resources.ts'
import type { StoredRun } from '../store/runs.ts'

/** Stored rows as the contract shows them; each record is mapped here and nowhere else. */

export const conversationRecord = (conversation: StoredConversation): Conversation => ({
  conversation_id: conversation.conversationId,
  owner_id: conversation.ownerId,
  app_id: conversation.appId,
  subject: conversation.subject,
  endpoint_id: conversation.endpointId,
  binding_version: conversation.bindingVersion,
  generation: conversation.generation,
  ...(conversation.businessKey === null ? {} : { business_key: conversation.businessKey }),
  state: conversation.state,
  created_at: conversation.createdAt.toISOString(),
})

export const runRecord = (run: StoredRun): Run => ({
  run_id: run.runId,
  message_id: run.messageId,
  conversation_id: run.conversationId,
  generation: run.generation,
  state: run.state,
  delivery_state: run.deliveryState,
  created_at: run.createdAt.toISOString(),
  updated_at: run.updatedAt.toISOString(),
  result: run.result,
})

export const operationRecord = (operation: StoredOperation): Operation & Control => ({
  operation_id: operation.operationId,
  state: operation.state,
  ref: { conversation_id: operation.conversationId, generation: operation.generation },
})

export const resourceRecord = ({ appId, subject }: Tenant, resource: StoredResource): Resource => ({
  resource_id: resource.resourceId,
  app_id: appId,
  subject,
  filename: resource.filename,
  content_type: resource.contentType,
  size: resource.size,
  sha256: resource.sha256,
  status: resource.uploadId === null ? 'pending' : 'ready',
  created_at: resource.createdAt.toISOString(),
})

export const snapshotRecord = (conversationId: string, snapshot: StoredSnapshot): SnapshotParts => ({
  conversation_id: conversationId,
  generation: snapshot.generation,
  watermark: snapshot.watermark,
  messages: snapshot.messages.map(messageJson),
  runs: snapshot.runs.map((run) => ({
    run_id: run.runId,
    generation: run.generation,
    state: run.state,
    device_received: run.deliveryState === 'device_received',
    result: run.result,
    result_available: run.hasResult,
  })),
})
