/** What a unit of work writes, as rows. No row is in two of the lists, and none is changed twice. */

export interface ConversationRow {
  readonly app_id: string
  readonly conversation_id: string
  readonly generation: number
  readonly binding_version: number
  readonly state: string
  readonly last_cursor: number
  readonly last_seq: number
  readonly queued_runs: number
  readonly executing_run_id: string | null
  readonly executing_output: object | null
}

/** What changes in the life of a run. */
export interface RunStateRow {
  readonly app_id: string
  readonly run_id: string
  readonly state: string
  readonly delivery_state: string
  readonly result: object | null
  /** What of the result is summed up. */
  readonly usage: object | null
  readonly reconcile_cause: string | null
  readonly reconcile_until: Date | null
  readonly run_until: Date | null
  readonly run_left_ms: number | null
  readonly timed_out: boolean
  readonly finished_at: Date | null
  readonly reply_message_id: string | null
  readonly reply_cursor: number | null
}

export interface NewRunRow extends RunStateRow {
  readonly conversation_id: string
  readonly subject: string
  readonly endpoint_id: string
  readonly device_id: string
  readonly message_id: string
  readonly generation: number
  readonly binding_version: number
  readonly position: number
  readonly admitted_seq: number
  readonly ready: boolean
  readonly start_before: Date
  readonly traceparent: string | null
  readonly lease_owner: string | null
}

export interface ReplyStartRow {
  readonly app_id: string
  readonly run_id: string
  readonly reply_message_id: string
  readonly reply_cursor: number
}

export interface MessageRow {
  readonly app_id: string
  readonly conversation_id: string
  readonly cursor: number
  readonly message_id: string
  readonly run_id: string
  readonly generation: number
  readonly role: 'user' | 'assistant'
  readonly text: string | null
  /** The text of the JSON. */
  readonly data: string | null
  readonly resource_ids: readonly string[] | null
  /** Null where there are none. */
  readonly activities: readonly object[] | null
  readonly partial: boolean
}

export interface ReplyRow {
  readonly app_id: string
  readonly conversation_id: string
  readonly cursor: number
  readonly text: string
  /** The text of the JSON. */
  readonly data: string | null
  readonly activities: readonly object[] | null
  readonly partial: boolean
}

export interface EventRow {
  readonly app_id: string
  readonly conversation_id: string
  readonly seq: number
  readonly event_id: string
  readonly generation: number
  readonly run_id: string | null
  readonly message_id: string | null
  readonly type: string
  /** In JSON, as it goes on the wire. */
  readonly payload: string
}

/** An event that callbacks may want. */
export interface OutgoingRow extends EventRow {
  readonly device_id: string
}

export interface OperationRow {
  readonly app_id: string
  readonly operation_id: string
  readonly conversation_id: string
  readonly subject: string
  readonly kind: string
  readonly run_id: string | null
  readonly state: string
  readonly generation: number
  readonly stop_until: Date
}

export interface ApprovalRow {
  readonly app_id: string
  readonly approval_id: string
  readonly conversation_id: string
  readonly run_id: string
  readonly summary: string
  readonly state: 'pending' | 'withdrawn'
}

export interface RecordRow {
  readonly app_id: string
  /** Whose the key is. */
  readonly subject: string
  readonly key: string
  /** In hexadecimal. */
  readonly fingerprint: string
  readonly status: number
  readonly response: unknown
}

/** By how much the number of unfinished runs grows. */
export interface PendingRow {
  readonly app_id: string
  readonly device_id: string
  readonly unfinished: number
}

export interface UnitRows {
  readonly conversations: ConversationRow[]
  readonly newRuns: NewRunRow[]
  readonly runs: RunStateRow[]
  readonly replyStarts: ReplyStartRow[]
  /** Runs that can be started now. */
  readonly ready: { readonly app_id: string; readonly run_id: string }[]
  readonly messages: MessageRow[]
  readonly replies: ReplyRow[]
  readonly events: EventRow[]
  readonly outgoing: OutgoingRow[]
  readonly operations: OperationRow[]
  readonly approvals: ApprovalRow[]
  /** Runs of which nothing is to be decided any more. */
  readonly withdrawn: { readonly app_id: string; readonly run_id: string }[]
  readonly resourceUses: { readonly app_id: string; readonly resource_id: string; readonly run_id: string }[]
  readonly records: RecordRow[]
  readonly pending: PendingRow[]
}

export const noRows = (): UnitRows => ({
  conversations: [],
  newRuns: [],
  runs: [],
  replyStarts: [],
  ready: [],
  messages: [],
  replies: [],
  events: [],
  outgoing: [],
  operations: [],
  approvals: [],
  withdrawn: [],
  resourceUses: [],
  records: [],
  pending: [],
})
