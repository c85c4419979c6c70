// Generated from openapi/gateway.yaml by `npm run generate`. Do not edit.

import type { Closed } from '../src/document/closed.ts'
import type * as open from './gateway.ts'

export type * from './gateway.ts'
export type Activity = Closed<open.Activity, open.UnknownEvent>
export type ActivityState = Closed<open.ActivityState, open.UnknownEvent>
export type ActivityUpdate = Closed<open.ActivityUpdate, open.UnknownEvent>
export type Admission = Closed<open.Admission, open.UnknownEvent>
export type AssistantActivityEvent = Closed<open.AssistantActivityEvent, open.UnknownEvent>
export type AssistantMessageEvent = Closed<open.AssistantMessageEvent, open.UnknownEvent>
export type Control = Closed<open.Control, open.UnknownEvent>
export type Conversation = Closed<open.Conversation, open.UnknownEvent>
export type ConversationList = Closed<open.ConversationList, open.UnknownEvent>
export type ConversationState = Closed<open.ConversationState, open.UnknownEvent>
export type DeliveryState = Closed<open.DeliveryState, open.UnknownEvent>
export type EventEnvelope = Closed<open.EventEnvelope, open.UnknownEvent>
export type KnownEvent = Closed<open.KnownEvent, open.UnknownEvent>
export type Message = Closed<open.Message, open.UnknownEvent>
export type MessageContent = Closed<open.MessageContent, open.UnknownEvent>
export type MessageList = Closed<open.MessageList, open.UnknownEvent>
export type MessageRole = Closed<open.MessageRole, open.UnknownEvent>
export type Operation = Closed<open.Operation, open.UnknownEvent>
export type OperationState = Closed<open.OperationState, open.UnknownEvent>
export type Problem = Closed<open.Problem, open.UnknownEvent>
export type Resource = Closed<open.Resource, open.UnknownEvent>
export type ResourceStatus = Closed<open.ResourceStatus, open.UnknownEvent>
export type Run = Closed<open.Run, open.UnknownEvent>
export type RunStartedEvent = Closed<open.RunStartedEvent, open.UnknownEvent>
export type RunState = Closed<open.RunState, open.UnknownEvent>
export type RunUpdatedEvent = Closed<open.RunUpdatedEvent, open.UnknownEvent>
export type Snapshot = Closed<open.Snapshot, open.UnknownEvent>
export type SnapshotRun = Closed<open.SnapshotRun, open.UnknownEvent>
export type SseFrame = Closed<open.SseFrame, open.UnknownEvent>
export type WebhookAcceptance = Closed<open.WebhookAcceptance, open.UnknownEvent>
export type operations = Closed<open.operations, open.UnknownEvent>
