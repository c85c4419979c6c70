import type { ReplayHandle } from '../transport/replay-handle.ts'
import type { Outbox } from './outbox.ts'

/** An outbox that lives and dies with the process: it survives a failed call, not a crash. */
export function memoryOutbox(): Outbox {
  const handles = new Map<string, ReplayHandle>()
  const nameOf = ({ origin, subject, idempotencyKey }: ReplayHandle) =>
    JSON.stringify([origin, subject, idempotencyKey])
  return {
    async put(handle) {
      handles.set(nameOf(handle), handle)
    },
    async delete(handle) {
      handles.delete(nameOf(handle))
    },
    list: async () => [...handles.values()].sort((one, other) => one.createdAt.localeCompare(other.createdAt)),
  }
}
