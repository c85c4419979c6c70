import type { ReplayHandle } from '../replay-handle.ts'
import type { Timing } from '../transport/timing.ts'

/** An intention as stored. */
export interface OutboxEntry {
  readonly handle: ReplayHandle
  /** Identifies the sender: letters, digits and hyphens. */
  readonly owner: string
  /** Until when the owner is presumed alive, ISO 8601. The owner extends it while it sends. */
  readonly heldUntil: string
}

/** A stored entry that cannot be read. */
export interface DamagedEntry {
  /** Its location: a path, or a key for a query. */
  readonly name: string
  /** What is wrong with it. */
  readonly fault: string
}

/**
 * The storage of an outbox. Implement it for your own outbox and pass it to `createOutbox(store)`. The handle's origin,
 * subject and idempotency key, and the owner, identify an entry.
 */
export interface OutboxStore {
  /** Resolves once the entry would survive the death of this process. Replaces an entry with the same identity. */
  put(entry: OutboxEntry): Promise<void>
  /**
   * Transfers the entry to another owner, or extends the claim of the same one. Returns false and changes nothing if
   * the entry is gone or has another owner by now. Of several concurrent claims, only one succeeds.
   */
  claim(entry: OutboxEntry, next: OutboxEntry): Promise<boolean>
  /** Deletes the entry. A missing entry is not an error. */
  delete(entry: OutboxEntry): Promise<void>
  /** All entries, in any order. An unreadable entry is an item, not an exception. */
  list(): Promise<readonly (OutboxEntry | DamagedEntry)[]>
  /** Moves a damaged entry out of sight of `list`, for manual inspection. */
  setAside(damaged: DamagedEntry): Promise<void>
}

/** One recorded intention, claimed by this process while it is being sent. */
export interface Recorded {
  /** Sending has ended. The entry stays for `recover()` until `forget()`. */
  release(): void
  /** Deletes the entry: the program has its answer. */
  forget(): Promise<void>
}

/** An intention that this process has taken over, or a damaged entry that was set aside. */
export type Leftover =
  | { readonly kind: 'intention'; readonly handle: ReplayHandle }
  | ({ readonly kind: 'damaged' } & DamagedEntry)

/**
 * Records intentions before they are sent, and deletes each when the program has its answer. A process that dies leaves
 * its entries; `client.recover()` settles them.
 */
export interface Outbox {
  /**
   * Resolves once the intention would survive the death of this process. A rejection keeps the request from being sent.
   */
  record(handle: ReplayHandle, timing: Timing): Promise<Recorded>
  /**
   * Takes over the entries that no process is sending, oldest first. Waits at most five seconds for entries that
   * another process holds, and skips them if that process is alive.
   */
  leftovers(origin: string, timing: Timing, signal?: AbortSignal): AsyncIterable<Leftover>
  /** The handles of all entries, oldest first. */
  list(): Promise<readonly ReplayHandle[]>
  /** Deletes an intention of any process. A missing intention is not an error. */
  delete(handle: ReplayHandle): Promise<void>
}
