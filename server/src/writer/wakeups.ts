import type { StoredEvent } from '../store/history/events.ts'
import type { RunEnd } from './run-end.ts'

/** A conversation whose log has grown. */
export interface ConversationHint {
  readonly appId: string
  readonly conversationId: string
  /** The new events, if this process wrote them; other processes read them from the database. */
  readonly events?: readonly StoredEvent[]
}

/**
 * Hints that something may have changed, given after a commit. A lost hint costs latency, never an event: listeners
 * read the database after their own position, and also poll it without hints.
 */
export interface Wakeups {
  /** The conversation has new events. */
  conversationChanged(hint: ConversationHint): void
  /** The device has work to start. */
  workAvailable(deviceId: string): void
  /** A run that a worker holds was asked to stop, or its approval was decided. */
  runChanged(runId: string): void
  /** A run has ended. Only this process, which ended it, receives the hint. */
  runEnded(end: RunEnd): void
  /** There are callbacks to deliver. */
  deliveriesAdded(): void
}
