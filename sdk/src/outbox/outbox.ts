import type { ReplayHandle } from '../transport/replay-handle.ts'

/**
 * Where intentions are recorded before they are sent, and cleared after their answer. What is still there when a
 * process starts is what an earlier one did not finish: `client.recover()` replays it. Replaying something that another
 * process is still sending is harmless: the gateway executes a key once.
 */
export interface Outbox {
  /** Resolves once the intention would survive the death of this process. A rejection keeps the request from being sent. */
  put(handle: ReplayHandle): Promise<void>
  /** Forgets the intention; one that is not there is no error. */
  delete(handle: ReplayHandle): Promise<void>
  /** Everything recorded, oldest first. */
  list(): Promise<readonly ReplayHandle[]>
}
