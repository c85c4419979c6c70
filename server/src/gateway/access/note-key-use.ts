import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { oneAtATime } from '../../runtime/one-at-a-time.ts'
import type { Timers } from '../../runtime/timers.ts'
import { writeKeyUses } from '../../store/api-keys.ts'
import type { Db } from '../../store/db.ts'
import type { Caller } from './authenticate.ts'

/** Records when keys were last used, and writes these times periodically, so that no request waits for a write. */
export interface KeyUse {
  note(caller: Pick<Caller, 'appId' | 'keyId'>): void
  /** Writes the pending uses now. */
  write(): Promise<void>
  /** Writes the pending uses and stops. */
  close(): Promise<void>
}

const WRITE_MS = 30_000

export const createKeyUse = (db: Db, clock: Clock, timers: Timers, onError: (error: unknown) => void): KeyUse => {
  let used = new Map<string, { readonly appId: string; readonly keyId: string; readonly at: Date }>()
  const write = oneAtATime(async () => {
    if (used.size === 0) return
    const uses = [...used.values()]
    used = new Map()
    await writeKeyUses(db, uses)
  }, onError)
  const stop = timers.every(WRITE_MS, () => void write())
  return {
    note: ({ appId, keyId }) => void used.set(keyId, { appId, keyId, at: clock.now() }),
    write,
    close: async () => {
      stop()
      await write()
    },
  }
}
