import type { RunUsage } from '../../generated/gateway-closed.ts'
import type { Activity } from './activities.ts'

/** The changes of a conversation that rules decide, as data. */

export type { RunUsage }

/** A JSON object that an assistant has answered with (D-70). */
export type JsonObject = Readonly<Record<string, unknown>>

/** `result.error` (D-16). */
export interface RunError {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
}

export interface RunResult {
  readonly text?: string
  readonly resource_ids?: string[]
  readonly data?: JsonObject
  readonly usage?: RunUsage
  readonly truncated?: true
  readonly error?: RunError
}

export type EventType =
  | 'run.started'
  | 'run.updated'
  | 'run.completed'
  | 'run.failed'
  | 'run.cancelled'
  | 'run.interrupted'
  | 'run.expired'
  | 'assistant.delta'
  | 'assistant.message'
  | 'assistant.activity'
  | 'approval.required'
  | 'conversation.reset'

/** An event before its place in the conversation is known; `payload` is in wire format (D-26). */
export interface NewEvent {
  readonly type: EventType
  readonly generation: number
  readonly runId: string | null
  readonly messageId: string | null
  readonly payload: Readonly<Record<string, unknown>>
}

/** A complete assistant message. */
export interface NewMessage {
  readonly messageId: string
  readonly runId: string
  readonly generation: number
  readonly cursor: number
  readonly text: string
  readonly data: JsonObject | null
}

/** The end of a streamed message: its content is fixed, and it stays partial when the run did not succeed. */
export interface ReplyCompletion {
  readonly cursor: number
  readonly text: string
  readonly data: JsonObject | null
  readonly activities: readonly Activity[]
  readonly partial: boolean
}

export interface Approval {
  readonly approvalId: string
  readonly runId: string
  readonly summary: string
}
