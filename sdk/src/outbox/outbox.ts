import type { ReplayHandle } from '../replay-handle.ts'
import type { Timing } from '../transport/timing.ts'

/** An intention as a store keeps it. */
export interface OutboxEntry {
  readonly handle: ReplayHandle
  /** Identifies the sender: letters, digits and hyphens. */
  readonly owner: string
  /** Until when the owner counts as alive, ISO 8601. It moves this on while it sends. */
  readonly heldUntil: string
}

/** Something recorded that cannot be read. */
export interface DamagedEntry {
  /** Its place: a path, or what a query needs to find it. */
  readonly name: string
  /** What is wrong with it. */
  readonly fault: string
}

/**
 * Where an outbox keeps its entries; for an outbox of one's own, which `createOutbox(store)` makes of it. An entry is found
 * by its handle's origin, subject and idempotency key, and by its owner.
 */
export interface OutboxStore {
  /** Resolves once the entry would survive the death of this process. Replaces one of the same name and owner. */
  put(entry: OutboxEntry): Promise<void>
  /**
   * Gives the entry to another owner, or to the same one for longer. False, and nothing changed, when it is gone or
   * somebody else's by now: of several that claim it at once, one gets it.
   */
  claim(entry: OutboxEntry, next: OutboxEntry): Promise<boolean>
  /** Deletes the entry. One that is not stored is no error. */
  delete(entry: OutboxEntry): Promise<void>
  /** Everything recorded, in any order. What cannot be read is an item, not an exception. */
  list(): Promise<readonly (OutboxEntry | DamagedEntry)[]>
  /** Moves a damaged entry to where `list` does not see it, for people to look into. */
  setAside(damaged: DamagedEntry): Promise<void>
}

/** One recorded intention, held by this process while it is being sent. */
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
 * Records intentions before they are sent, and forgets each when the program has its answer. What is still there when a
 * process starts is what an earlier one did not finish; `client.recover()` finishes it.
 */
export interface Outbox {
  /** Resolves once the intention would survive the death of this process. A rejection keeps the request from being sent. */
  record(handle: ReplayHandle, timing: Timing): Promise<Recorded>
  /**
   * Takes over the entries that no process is sending, oldest first. Waits at most five seconds for entries that another
   * process holds, and skips them if that process is alive.
   */
  leftovers(origin: string, timing: Timing, signal?: AbortSignal): AsyncIterable<Leftover>
  /** The handles of everything recorded, oldest first. */
  list(): Promise<readonly ReplayHandle[]>
  /** Deletes an intention, whichever process recorded it. One that is not recorded is no error. */
  delete(handle: ReplayHandle): Promise<void>
}
