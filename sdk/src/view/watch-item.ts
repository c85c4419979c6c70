import type { EventEnvelope, Message, Snapshot } from '../generated/gateway.ts'
import type { DecisionListener } from '../transport/decision.ts'
import type { Timing } from '../transport/timing.ts'
import type { ConversationView } from './conversation-view.ts'

/** What a watch needs from the client, for one conversation. */
export interface WatchPort {
  readSnapshot(signal: AbortSignal): PromiseLike<Snapshot>
  /** A page of the history, oldest first: the newest, or the one before a cursor. */
  readMessages(query: { limit: number; before?: number }, signal: AbortSignal): PromiseLike<readonly Message[]>
  events(after: number, signal: AbortSignal, waitForStream: boolean): AsyncIterable<EventEnvelope>
  readonly tell: DecisionListener
  readonly timing: Timing
}

export interface WatchOptions {
  /** Ends the watch; the iteration rejects with the signal's reason. Cancels nothing at the gateway. */
  readonly signal?: AbortSignal | undefined
}

/** One step of a watched conversation; `state` is the view after it. */
export type WatchItem =
  /** The first item: how the conversation was found. */
  | { readonly kind: 'snapshot'; readonly state: ConversationView }
  /** Any event but a reset, those of unknown types too. */
  | { readonly kind: 'event'; readonly event: EventEnvelope; readonly state: ConversationView }
  /** A reset completed: from now on `expected_generation` is `generation`. */
  | {
      readonly kind: 'generation'
      readonly generation: number
      readonly previous_generation: number
      readonly state: ConversationView
    }
  /**
   * Events after `from` were not read: they are no longer retained, or no stream was free. The state was read anew, and
   * the watch goes on after `to`.
   */
  | { readonly kind: 'gap'; readonly from: number; readonly to: number; readonly state: ConversationView }
