import type { ReplayHandle } from '../replay-handle.ts'
import { sleep, type Timing } from '../transport/timing.ts'
import type { DamagedEntry, Leftover, Outbox, OutboxEntry, OutboxStore, Recorded } from './outbox.ts'

/** How long an owner that has said nothing counts as alive. */
const HELD_MS = 5_000
const RENEWED_EVERY_MS = 1_500

/** An outbox over any store. */
export function createOutbox(store: OutboxStore): Outbox {
  // Made when it is needed: Workers have no chance at the time modules are loaded.
  let ownName: string | undefined
  const ownerName = (): string => {
    ownName ??= crypto.randomUUID()
    return ownName
  }
  const sending = new Set<string>()
  /** What was left by others and is this process' now. */
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

  /** Holds the entry while it is being sent. The returned function ends that, and resolves after the last write. */
  function hold(first: OutboxEntry, timing: Timing): () => Promise<unknown> {
    let entry = first
    let renewing: Promise<unknown> = Promise.resolve()
    let cancel = (): void => {}
    // Rejects for a store that throws synchronously too: an exception in a timer's callback would be uncaught.
    const renew = async (from: OutboxEntry, to: OutboxEntry) => store.claim(from, to)
    const wait = (): void => {
      cancel = timing.after(RENEWED_EVERY_MS, () => {
        const next = held(entry.handle, timing)
        // One that could not be renewed is replayed by another process as well: the gateway admits it once.
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

  /** Whether it is this process' now. One that another holds is looked at again when its time is over. */
  async function claim(entry: OutboxEntry, timing: Timing, signal?: AbortSignal): Promise<boolean> {
    if (entry.owner === ownerName()) return !sending.has(nameOf(entry.handle))
    const heldMs = Math.min(Date.parse(entry.heldUntil) - timing.now(), HELD_MS)
    if (heldMs > 0) {
      await sleep(timing, heldMs, signal)
      const now = (await entries()).find(
        (each) => each.owner === entry.owner && nameOf(each.handle) === nameOf(entry.handle),
      )
      if (now?.heldUntil !== entry.heldUntil) return false
    }
    return store.claim(entry, held(entry.handle, timing))
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
    // What is free comes at once; each wait for the others is over when that of the first one is.
    for (const entry of [...found.filter((each) => !isHeld(each)), ...found.filter(isHeld)])
      if (await claim(entry, timing, signal)) {
        claimed.add(nameOf(entry.handle))
        yield { kind: 'intention', handle: entry.handle }
      }
  }

  return {
    async record(handle, timing): Promise<Recorded> {
      const entry = held(handle, timing)
      await store.put(entry)
      const name = nameOf(handle)
      sending.add(name)
      const letGo = hold(entry, timing)
      return {
        release: () => {
          void letGo()
          sending.delete(name)
        },
        async forget() {
          // A renewal that is under way would write the entry once more.
          await letGo()
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

/** What tells intentions apart. */
export const nameOf = ({ origin, subject, idempotencyKey }: ReplayHandle): string =>
  JSON.stringify([origin, subject, idempotencyKey])

/** @param read Makes an entry of what was stored, or throws. */
export function readEntry(name: string, read: () => OutboxEntry): OutboxEntry | DamagedEntry {
  try {
    return read()
  } catch (error) {
    return { name, fault: error instanceof Error ? error.message : String(error) }
  }
}
