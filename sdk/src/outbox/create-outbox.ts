import type { ReplayHandle } from '../replay-handle.ts'
import { sleep, type Timing } from '../transport/timing.ts'
import type { DamagedEntry, Leftover, Outbox, OutboxEntry, OutboxStore, Recorded } from './outbox.ts'

/** How long an owner is presumed alive without a renewal. */
const HELD_MS = 5_000
const RENEWED_EVERY_MS = 1_500

/** An outbox over any store. */
export function createOutbox(store: OutboxStore): Outbox {
  // Created lazily: Workers have no random numbers while modules are loaded.
  let ownName: string | undefined
  const ownerName = (): string => {
    ownName ??= crypto.randomUUID()
    return ownName
  }
  const sending = new Set<string>()
  /** Entries of other processes that this process has taken over. */
  const claimed = new Set<string>()

  const held = (handle: ReplayHandle, timing: Timing): OutboxEntry => ({
    handle,
    owner: ownerName(),
    heldUntil: new Date(timing.now() + HELD_MS).toISOString(),
  })

  const entries = async (): Promise<OutboxEntry[]> =>
    (await store.list())
      .filter((item) => 'handle' in item)
      .sort((one, other) => one.handle.createdAt.localeCompare(other.handle.createdAt))

  /**
   * Renews the claim while the entry is being sent. The returned function stops this, and resolves after the last
   * write.
   */
  function hold(first: OutboxEntry, timing: Timing): () => Promise<unknown> {
    let entry = first
    let renewing: Promise<unknown> = Promise.resolve()
    let cancel = (): void => {}
    // Also turns a synchronous exception of the store into a rejection; in a timer's callback it would be uncaught.
    const renew = async (from: OutboxEntry, to: OutboxEntry) => store.claim(from, to)
    const wait = (): void => {
      cancel = timing.after(RENEWED_EVERY_MS, () => {
        const next = held(entry.handle, timing)
        // If the renewal fails, another process may replay the entry too; the gateway admits it only once.
        renewing = renew(entry, next).catch(() => {})
        entry = next
        wait()
      })
    }
    wait()
    return () => {
      cancel()
      return renewing
    }
  }

  /** Whether this process has claimed the entry. */
  async function claim(entry: OutboxEntry, timing: Timing): Promise<boolean> {
    if (entry.owner === ownerName()) return !sending.has(nameOf(entry.handle))
    return store.claim(entry, held(entry.handle, timing))
  }

  async function* takeOver(found: Iterable<OutboxEntry>, timing: Timing): AsyncGenerator<Leftover, void, undefined> {
    for (const entry of found)
      if (await claim(entry, timing)) {
        claimed.add(nameOf(entry.handle))
        yield { kind: 'intention', handle: entry.handle }
      }
  }

  /** Waits until the claims of these entries have expired, and resolves with those that no living owner has renewed. */
  async function expired(
    waiting: readonly OutboxEntry[],
    timing: Timing,
    signal?: AbortSignal,
  ): Promise<OutboxEntry[]> {
    const heldMs = Math.max(0, ...waiting.map(({ heldUntil }) => Date.parse(heldUntil) - timing.now()))
    if (heldMs > 0) await sleep(timing, Math.min(heldMs, HELD_MS), signal)
    const unchanged = new Set((await entries()).map(claimOf))
    return waiting.filter((entry) => unchanged.has(claimOf(entry)))
  }

  async function* leftovers(
    origin: string,
    timing: Timing,
    signal?: AbortSignal,
  ): AsyncGenerator<Leftover, void, undefined> {
    const isHeld = ({ heldUntil, owner }: OutboxEntry): boolean =>
      owner !== ownerName() && Date.parse(heldUntil) > timing.now()
    for (const damaged of await store.list()) {
      if ('handle' in damaged) continue
      await store.setAside(damaged)
      yield { kind: 'damaged', ...damaged }
    }
    const found = (await entries()).filter(({ handle }) => handle.origin === origin)
    const waiting = new Set(found.filter(isHeld))
    yield* takeOver(
      found.filter((entry) => !waiting.has(entry)),
      timing,
    )
    if (waiting.size > 0) yield* takeOver(await expired([...waiting], timing, signal), timing)
  }

  return {
    async record(handle, timing): Promise<Recorded> {
      const entry = held(handle, timing)
      await store.put(entry)
      const name = nameOf(handle)
      sending.add(name)
      const stopRenewing = hold(entry, timing)
      return {
        release: () => {
          void stopRenewing()
          sending.delete(name)
        },
        async forget() {
          // A pending renewal would write the entry again.
          await stopRenewing()
          await store.delete(entry)
        },
      }
    },
    leftovers,
    list: async () => (await entries()).map(({ handle }) => handle),
    async delete(handle) {
      if (claimed.delete(nameOf(handle))) return store.delete({ handle, owner: ownerName(), heldUntil: '' })
      for (const entry of await entries()) if (nameOf(entry.handle) === nameOf(handle)) await store.delete(entry)
    },
  }
}

/** Identifies the claim of an entry; a renewal changes it. */
const claimOf = ({ owner, heldUntil, handle }: OutboxEntry): string =>
  JSON.stringify([owner, heldUntil, nameOf(handle)])

/** Identifies an intention. */
export const nameOf = ({ origin, subject, idempotencyKey }: ReplayHandle): string =>
  JSON.stringify([origin, subject, idempotencyKey])

/** @param read Parses a stored entry, or throws. */
export function readEntry(name: string, read: () => OutboxEntry): OutboxEntry | DamagedEntry {
  try {
    return read()
  } catch (error) {
    return { name, fault: error instanceof Error ? error.message : String(error) }
  }
}
