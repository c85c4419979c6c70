import type { Control, Conversation, Operation, Resource, Run } from '../../generated/gateway-closed.ts'
import type { RunResult } from './conversation-changes.ts'
import type { StoredMessage } from './message-record.ts'
import { messageJson } from './message-record.ts'
import type { OperationState } from './operation-state.ts'
import type { DeliveryState, RunState } from './run-state.ts'
import type { SnapshotParts } from './snapshot-budget.ts'
import type { Tenant } from './tenant.ts'

/** Maps stored records to the contract's records. Messages are mapped in `message-record.ts`. */

export interface ShownConversation extends Tenant {
  readonly conversationId: string
  readonly ownerId: string
  readonly endpointId: string
  readonly bindingVersion: number
  readonly generation: number
  readonly businessKey: string | null
  readonly state: 'active' | 'resetting'
  readonly createdAt: Date
}

export const conversationRecord = (conversation: ShownConversation): Conversation => ({
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

export interface ShownRun {
  readonly runId: string
  readonly messageId: string
  readonly conversationId: string
  readonly generation: number
  readonly state: RunState
  readonly deliveryState: DeliveryState
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly result: RunResult | null
}

export const runRecord = (run: ShownRun): Run => ({
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

export interface ShownOperation {
  readonly operationId: string
  readonly conversationId: string
  readonly state: OperationState
  readonly generation: number
}

export const operationRecord = (operation: ShownOperation): Operation & Control => ({
  operation_id: operation.operationId,
  state: operation.state,
  ref: { conversation_id: operation.conversationId, generation: operation.generation },
})

export interface ShownResource {
  readonly resourceId: string
  readonly filename: string
  readonly contentType: string
  readonly size: number
  /** As declared, or computed from the content; null until one of them is known. */
  readonly sha256: string | null
  /** The upload that supplied the content; null while there is no content. */
  readonly uploadId: string | null
  readonly createdAt: Date
}

export const resourceRecord = ({ appId, subject }: Tenant, resource: ShownResource): Resource => ({
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

export interface ShownSnapshot {
  readonly generation: number
  readonly watermark: number
  readonly messages: readonly StoredMessage[]
  readonly runs: readonly (Pick<ShownRun, 'runId' | 'generation' | 'state' | 'deliveryState' | 'result'> & {
    /** Whether there is a result, even if it is omitted here. */
    readonly hasResult: boolean
  })[]
}

export const snapshotRecord = (conversationId: string, snapshot: ShownSnapshot): SnapshotParts => ({
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
