// Generated from openapi/components/events.yaml by `npm run generate`. Do not edit.

import type { EventType } from './gateway.ts'

/** Every event type of this version (D-26). */
export const EVENT_TYPES = ["run.started", "run.updated", "run.completed", "run.failed", "run.cancelled", "run.interrupted", "run.expired", "assistant.delta", "assistant.message", "assistant.activity", "approval.required", "conversation.reset"] as const satisfies readonly EventType[]

/** The types that are the last event of their run. */
export const TERMINAL_RUN_EVENT_TYPES = ["run.completed", "run.failed", "run.cancelled", "run.interrupted", "run.expired"] as const satisfies readonly EventType[]

/** The types that callbacks can subscribe to. */
export const CALLBACK_EVENT_TYPES = ["run.completed", "run.failed", "run.cancelled", "run.interrupted", "run.expired", "approval.required"] as const satisfies readonly EventType[]
