import type { Authenticator, Caller } from '../gateway/access/authenticate.ts'
import type { Timers } from '../runtime/timers.ts'

/**
 * How often the keys of open streams are checked: together with the authenticator's cache, below the 5 seconds of D-04.
 */
const WATCH_MS = 1000

/** Ends streams whose key is no longer valid. */
export interface KeyWatch {
  /**
   * Calls `end` when the caller's key has been revoked, has expired or lost its application. Returns a function that
   * stops the watch.
   */
  watch(caller: Caller, end: () => void): () => void
  close(): void
}

/** The open streams of one key. */
interface Watched {
  readonly caller: Caller
  readonly ends: Set<() => void>
}

export const createKeyWatch = (
  { isStillValid }: Pick<Authenticator, 'isStillValid'>,
  timers: Timers,
  onError: (error: unknown) => void,
): KeyWatch => {
  const watched = new Map<string, Watched>()

  const check = async ({ caller, ends }: Watched): Promise<void> => {
    if (await isStillValid(caller)) return
    for (const end of [...ends]) end()
  }
  const stop = timers.every(WATCH_MS, () => {
    for (const each of watched.values()) check(each).catch(onError)
  })

  return {
    watch: (caller, end) => {
      const entry = watched.get(caller.keyId) ?? { caller, ends: new Set() }
      watched.set(caller.keyId, entry)
      entry.ends.add(end)
      return () => {
        entry.ends.delete(end)
        if (entry.ends.size === 0 && watched.get(caller.keyId) === entry) watched.delete(caller.keyId)
      }
    },
    close: stop,
  }
}
