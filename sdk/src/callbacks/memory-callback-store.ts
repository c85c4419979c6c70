import type { CallbackStore } from './callback-store.ts'

export interface MemoryCallbackStoreOptions {
  /** Events to remember; above, the oldest is forgotten, and a repeat of it counts as new. Default: 10 000. */
  readonly maxEvents?: number
}

/**
 * A store for tests and for tools of one process. It is not durable: a restart forgets every event, so that a repeat
 * is handled again, and an event that a 200 answered for is kept nowhere but in what the handler did.
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
