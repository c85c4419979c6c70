import type { StoredEvent } from '../store/history/events.ts'
import type { RunEnd } from './run-end.ts'

/** A conversation whose log has grown. */
export interface ConversationHint {
  readonly appId: string
  readonly conversationId: string
  /** What was added, where this process has written it: others read it. */
  readonly events?: readonly StoredEvent[]
}

/**
 * Hints that something may have changed, given after a commit. A lost hint costs latency, never an event: whoever
 * listens reads the database after its own position, and looks there from time to time without a hint, too.
 */
export interface Wakeups {
  /** The conversation has new events. */
  conversationChanged(hint: ConversationHint): void
  /** The device has work to start. */
  workAdmitted(deviceId: string): void
  /** A run that a worker holds was asked to stop, or its approval was decided. */
  runChanged(runId: string): void
  /** A run has ended; only this process is told, which ended it. */
  runEnded(end: RunEnd): void
  /** There are callbacks to deliver. */
  deliveriesAdded(): void
}
