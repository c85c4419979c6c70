import type { CallbackEvent } from './verify-callback.ts'

/** A verified callback, as a store gets it. */
export interface CallbackDelivery {
  readonly event: CallbackEvent
  /** The raw body, as it was signed. */
  readonly body: Uint8Array
  /** SHA-256 of `body` in lower-case hex. Distinguishes a repeat from other content under the same ID. */
  readonly bodySha256: string
}

/**
 * - `new`: the first delivery of this event; it is recorded now.
 * - `duplicate`: the same event with the same bytes was recorded before (CB-38).
 * - `conflicting`: other bytes were recorded under this event's ID (CB-39).
 */
export type CallbackVerdict = 'new' | 'duplicate' | 'conflicting'

/** Records which events arrived. `Tx` lets a handler write in the store's own transaction. */
export interface CallbackStore<Tx> {
  /**
   * Classifies a delivery. If it is new, runs `handle` and commits the record together with everything that `handle`
   * wrote through `tx`. Resolves only after the commit. If `handle` fails, nothing is recorded and the call rejects
   * with its error. Of concurrent deliveries of one event, in any number of processes, only one is `new`; the others
   * wait for its outcome.
   */
  record(delivery: CallbackDelivery, handle: (tx: Tx) => Promise<void>): Promise<CallbackVerdict>
}

export interface MemoryCallbackStoreOptions {
  /**
   * Maximum number of events to remember. Above it, the store forgets the oldest event and treats a repeat of it as
   * new. Default: 10 000.
   */
  readonly maxEvents?: number
}

/**
 * A store for tests and for tools of one process. It is not durable: after a restart, repeats are handled again, and
 * events that were answered with 200 are lost unless the handler stored them.
 */
export const memoryCallbackStore = ({
  maxEvents = 10_000,
}: MemoryCallbackStoreOptions = {}): CallbackStore<undefined> => {
  const recorded = new Map<string, string>()
  const inProgress = new Map<string, Promise<void>>()

  return {
    record: async ({ event, bodySha256 }, handle) => {
      const id = event.event_id
      for (let other = inProgress.get(id); other !== undefined; other = inProgress.get(id)) {
        await other.catch(() => {})
      }
      const earlier = recorded.get(id)
      if (earlier !== undefined) return earlier === bodySha256 ? 'duplicate' : 'conflicting'

      const handling = handle(undefined)
      inProgress.set(id, handling)
      try {
        await handling
      } finally {
        inProgress.delete(id)
      }
      recorded.set(id, bodySha256)
      const [oldest] = recorded.keys()
      if (recorded.size > maxEvents && oldest !== undefined) recorded.delete(oldest)
      return 'new'
    },
  }
}
