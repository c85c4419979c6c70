import { messageJson } from '@conversation-gateway/openapi/behaviour/message-record'
import {
  conversationRecord,
  operationRecord,
  runRecord,
  snapshotRecord,
} from '@conversation-gateway/openapi/behaviour/records'
import type { Found, FoundJson, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, foundJson, notFound } from '@conversation-gateway/openapi/behaviour/refusal'
import { fitSnapshot, snapshotJson } from '@conversation-gateway/openapi/behaviour/snapshot-budget'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type {
  AgentEndpoint,
  ConversationList,
  MessageList,
  Operation,
  Run,
  Snapshot,
} from '@conversation-gateway/openapi/generated/gateway-closed'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { findConversationPlace, listConversations as list, listConversationsByKey } from '../store/conversations.ts'
import { findPublishedEndpoint, showEndpoint } from '../store/endpoints.ts'
import { readHistory } from '../store/history/history.ts'
import { readSnapshot } from '../store/history/snapshot.ts'
import { findOperation } from '../store/operations.ts'
import { findRun } from '../store/runs.ts'
import type { GatewayContext } from './context.ts'

/**
 * Returns the run as JSON text: its result may be long, and the length decides whether the read is a large one.
 */
export const readRun = async (
  { db }: GatewayContext,
  tenant: Tenant,
  runId: string,
): Promise<FoundJson<Run> | Refusal> => {
  const run = await findRun(db, tenant, runId)
  return run === null ? notFound('run') : foundJson(JSON.stringify(runRecord(run)))
}

export const readOperation = async (
  { db }: GatewayContext,
  tenant: Tenant,
  operationId: string,
): Promise<Found<Operation> | Refusal> => {
  const operation = await findOperation(db, tenant, operationId)
  return operation === null ? notFound('operation') : found(operationRecord(operation))
}

/** The conversation at one moment: it reflects every event up to the watermark, and no later one (D-14). */
export const readConversation = async (
  { db, settings }: GatewayContext,
  tenant: Tenant,
  conversationId: string,
): Promise<FoundJson<Snapshot> | Refusal> => {
  const limits = { messages: LIMITS.snapshotMessages, runs: LIMITS.snapshotRuns, bodyBytes: settings.snapshotBytes }
  const snapshot = await readSnapshot(db, tenant, conversationId, limits)
  if (snapshot === null) return notFound('conversation')
  return foundJson(snapshotJson(fitSnapshot(snapshotRecord(conversationId, snapshot), settings.snapshotBytes)))
}

/** A page of messages, oldest first; the next older page uses the smallest cursor as `before`. */
export const readMessages = async (
  { db }: GatewayContext,
  tenant: Tenant,
  conversationId: string,
  query: { readonly generation?: number; readonly before?: number; readonly limit: number },
): Promise<FoundJson<MessageList> | Refusal> => {
  const messages = await readHistory(db, tenant, conversationId, {
    generation: query.generation ?? null,
    before: query.before ?? null,
    limit: Math.min(query.limit, LIMITS.pageRecords),
    bodyBytes: LIMITS.historyPageBytes,
  })
  if (messages === null) return notFound('conversation')
  return foundJson(`{"messages":[${messages.map(messageJson).join()}]}`)
}

/**
 * Conversations on the service's device, newest first (D-13). With a key, only the service's conversation with that
 * key. A `before` that is not a conversation of the tenant is 404.
 */
export const listConversations = async (
  { db }: GatewayContext,
  tenant: Tenant,
  query: {
    readonly endpoint_id: string
    readonly conversation_key?: string
    readonly before?: string
    readonly limit: number
  },
): Promise<Found<ConversationList> | Refusal> => {
  const { endpoint_id: endpointId, conversation_key: key, before = null, limit } = query
  const endpoint = await findPublishedEndpoint(db, tenant, endpointId)
  if (endpoint === null) return notFound('service')
  if (before !== null && (await findConversationPlace(db, tenant, before)) === null) return notFound('conversation')
  const conversations =
    key === undefined
      ? await list(db, tenant, endpoint.deviceId, before, Math.min(limit, LIMITS.pageRecords))
      : await listConversationsByKey(db, tenant, endpointId, key, before)
  return found({ conversations: conversations.map(conversationRecord) })
}

/** The input and output of a published service, at its current version (D-70). */
export const readEndpoint = async (
  { db }: GatewayContext,
  tenant: Tenant,
  endpointId: string,
): Promise<Found<AgentEndpoint> | Refusal> => {
  const endpoint = await showEndpoint(db, tenant, endpointId)
  if (endpoint === null) return notFound('service')
  return found({
    endpoint_id: endpoint.endpointId,
    name: endpoint.name,
    binding_version: endpoint.publishedVersion,
    accepts: endpoint.accepts,
    input_schema: endpoint.inputSchema,
    output_schema: endpoint.outputSchema,
  })
}
