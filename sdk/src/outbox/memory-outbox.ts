import { createOutbox, nameOf } from './create-outbox.ts'
import type { Outbox, OutboxEntry, OutboxStore } from './outbox.ts'

/** An outbox in memory: it survives a failed call, not a crash of the process. */
export const memoryOutbox = (): Outbox => createOutbox(memoryStore())

export function memoryStore(): OutboxStore {
  const entries = new Map<string, OutboxEntry>()
  const keyOf = ({ handle, owner }: OutboxEntry): string => `${owner} ${nameOf(handle)}`
  return {
    async put(entry) {
      entries.set(keyOf(entry), entry)
    },
    async claim(entry, next) {
      if (!entries.delete(keyOf(entry))) return false
      entries.set(keyOf(next), next)
      return true
    },
    async delete(entry) {
      entries.delete(keyOf(entry))
    },
    list: async () => [...entries.values()],
    // Entries in memory cannot be damaged.
    async setAside() {},
  }
}
