import type { StoredMessage } from '@conversation-gateway/openapi/behaviour/message-record'
import type {
  ConversationRecord,
  RunRecord,
  TimelineEvent,
  TimelineMessage,
  TimelineStop,
} from '@conversation-gateway/openapi/generated/admin-closed'
import { parseJsonObject } from '../../domain/json/parse-json.ts'
import type { ObservedConversation } from '../../store/admin/conversations.ts'
import type { EventsOfRun, StopOfRun } from '../../store/admin/run-timeline.ts'
import type { ObservedRun } from '../../store/admin/runs.ts'
import { ERASED_SUBJECT } from '../../store/erasure/erased.ts'

/** The work of all applications as the operator's contract shows it. */

const shownSubject = (subject: string): string | null => (subject === ERASED_SUBJECT ? null : subject)

/** @param now A lease that ends later than this belongs to a live process. */
export const runRecord = (run: ObservedRun, now: Date): RunRecord => ({
  run_id: run.runId,
  app_id: run.appId,
  subject: shownSubject(run.subject),
  conversation_id: run.conversationId,
  generation: run.generation,
  endpoint_id: run.endpointId,
  device_id: run.deviceId,
  binding_version: run.bindingVersion,
  message_id: run.messageId,
  state: run.state,
  delivery_state: run.deliveryState,
  error: run.error,
  lease:
    run.leaseOwner === null
      ? null
      : {
          process_id: run.leaseOwner,
          alive: run.leaseUntil !== null && run.leaseUntil > now,
          expires_at: run.leaseUntil?.toISOString() ?? null,
        },
  trace_id: run.traceId,
  start_before: run.startBefore.toISOString(),
  created_at: run.createdAt.toISOString(),
  updated_at: run.updatedAt.toISOString(),
  finished_at: run.finishedAt?.toISOString() ?? null,
})

export const conversationRecord = (conversation: ObservedConversation): ConversationRecord => ({
  conversation_id: conversation.conversationId,
  app_id: conversation.appId,
  subject: shownSubject(conversation.subject),
  endpoint_id: conversation.endpointId,
  device_id: conversation.deviceId,
  business_key: conversation.businessKey,
  binding_version: conversation.bindingVersion,
  generation: conversation.generation,
  state: conversation.state,
  queued_runs: conversation.queuedRuns,
  executing_run_id: conversation.executingRunId,
  last_seq: conversation.lastSeq,
  erasure_id: conversation.erasureId,
  created_at: conversation.createdAt.toISOString(),
})

export const timelineMessage = (message: StoredMessage, withText: boolean): TimelineMessage => ({
  message_id: message.messageId,
  role: message.role,
  cursor: message.cursor,
  text: withText ? message.text : null,
  data: withText && message.data !== null ? parseJsonObject(message.data) : null,
  activities: withText ? [...message.activities] : null,
  resource_ids: message.resourceIds ?? [],
  partial: message.partial,
  created_at: message.createdAt.toISOString(),
})

export const timelineEvent = (event: EventsOfRun): TimelineEvent => ({
  seq: event.seq,
  type: event.type,
  count: event.count,
  last_seq: event.lastSeq,
  state: event.state,
  error_code: event.errorCode,
  activity:
    event.activityId === null
      ? null
      : {
          activity_id: event.activityId,
          kind: event.activityKind,
          name: event.activityName,
          state: event.activityState,
        },
  message_id: event.messageId,
  created_at: event.createdAt.toISOString(),
  last_at: event.lastAt.toISOString(),
})

export const timelineStop = (stop: StopOfRun): TimelineStop => ({
  operation_id: stop.operationId,
  kind: stop.kind,
  state: stop.state,
  created_at: stop.createdAt.toISOString(),
  updated_at: stop.updatedAt.toISOString(),
})
