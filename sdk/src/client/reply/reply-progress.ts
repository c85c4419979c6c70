import type { RunError, RunState } from '../../generated/gateway.ts'

/** A piece of the text of a reply. */
export interface TextPiece {
  /** The seq of its event: what comes after it is had by `client.follow(runId, { after: seq })`. */
  readonly seq: number
  readonly message_id: string
  readonly text: string
}

/** How a run ended, as far as its reader has to know. */
export interface RunEnd {
  /** Null when its last event is no longer retained. */
  readonly seq: number | null
  readonly state: RunState
  readonly error: RunError | null
}

/** Where a reply begins. */
export interface ReplyStart {
  readonly runId: string
  readonly conversationId: string
  /** Undefined for everything that is retained. */
  readonly after: number | undefined
  /** Whether pieces may have gone before. */
  readonly isResumed: boolean
}
