import type { Activity, RunError, RunResult, RunState } from '../../generated/gateway.ts'

/** A piece of the text of a reply. */
export interface TextPiece {
  /**
   * The seq to resume after with `client.follow(runId, { after: seq })`. It is that of the piece's event, unless the
   * piece was read from a snapshot.
   */
  readonly seq: number
  readonly message_id: string
  readonly text: string
}

/** A change of an activity, such as a tool call. */
export interface ActivityPiece {
  /** The seq to resume after. It is that of the change's event, unless the change was read from a snapshot. */
  readonly seq: number
  /** The message that the activity belongs to. */
  readonly message_id: string
  /** The activity after the change. */
  readonly activity: Activity
}

/** How a run ended. */
export interface RunEnd {
  /**
   * The seq of the run's last event, or the watermark of a snapshot that shows the end. Null if the run's last event is
   * at or before the position, or is no longer retained.
   */
  readonly seq: number | null
  readonly state: RunState
  /** Why the run failed; null in the other states. */
  readonly error: RunError | null
  /** With `data` and `usage`, if the assistant gave them. */
  readonly result: RunResult | null
}

/** Where a reply begins. */
export interface ReplyStart {
  readonly runId: string
  readonly conversationId: string
  /** Undefined: from the oldest retained event. */
  readonly after: number | undefined
  /** Whether earlier pieces may exist. */
  readonly isResumed: boolean
}
