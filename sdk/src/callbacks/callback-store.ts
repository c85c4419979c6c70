import type { CallbackEvent } from './verify-callback.ts'

/** A verified callback, as a store gets it. */
export interface CallbackDelivery {
  readonly event: CallbackEvent
  /** The raw body, as it was signed. */
  readonly body: Uint8Array
  /** SHA-256 of `body` in lower-case hex. Tells a repeat from other content under the same ID. */
  readonly bodySha256: string
}

/**
 * - `new`: the first delivery of this event; it is recorded now.
 * - `duplicate`: the same event with the same bytes was recorded before (CB-38).
 * - `conflicting`: other bytes were recorded under this event's ID (CB-39).
 */
export type CallbackVerdict = 'new' | 'duplicate' | 'conflicting'

/** Remembers which events arrived. `Tx` is what a handler needs to write in the store's own transaction. */
export interface CallbackStore<Tx> {
  /**
   * Decides what a delivery is and, when it is new, runs `handle` and commits the record together with whatever
   * `handle` wrote through `tx`. Resolves only after the commit. When `handle` fails, nothing is recorded and the call
   * rejects with its error. Of deliveries of one event at the same time, in any number of processes, only one is
   * `new`; the others wait for its outcome.
   */
  record(delivery: CallbackDelivery, handle: (tx: Tx) => Promise<void>): Promise<CallbackVerdict>
}
