import { randomUUID } from 'node:crypto'
import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import { oneAtATime } from '../../runtime/one-at-a-time.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { Db } from '../../store/db.ts'
import type { StreamLimit, StreamLimits, StreamRow } from '../../store/streams.ts'
import { closeStreams, dropLostStreams, openStream, restoreStreams } from '../../store/streams.ts'

/** The slots for event streams, whose number is limited over all processes of a gateway (D-31). */
export interface StreamSlots {
  /** Takes a slot, or returns the limit that is reached. */
  take(tenant: Tenant, deviceId: string): Promise<StreamSlot | StreamLimit>
  /** Releases every slot. */
  close(): Promise<void>
}

export interface StreamSlot {
  /** Releases the slot. Resolves when it is available to others, or if that failed; then a later restore retries it. */
  release(): Promise<void>
}

export interface StreamSlotsOptions {
  readonly db: Db
  readonly clock: Clock
  readonly timers: Timers
  readonly processId: string
  readonly limits: StreamLimits
  readonly onError: (error: unknown) => void
}

/** How often missing rows of slots are restored. */
const RESTORE_MS = 12_000
/** Streams restored by one statement. */
const STREAMS_AT_ONCE = 1000

export const createStreamSlots = (options: StreamSlotsOptions): StreamSlots => {
  const { db, clock, timers, processId, limits, onError } = options
  const held = new Map<string, StreamRow>()
  const released = new Map<string, StreamRow>()
  let isRestoreDue = false

  const flushReleased = async (): Promise<void> => {
    const closed = [...released.values()]
    if (closed.length === 0) return
    await closeStreams(db, closed)
    for (const { streamId } of closed) released.delete(streamId)
  }
  const restoreHeld = async (): Promise<void> => {
    isRestoreDue = false
    const streams = [...held.values()]
    for (let start = 0; start < streams.length; start += STREAMS_AT_ONCE)
      await restoreStreams(db, streams.slice(start, start + STREAMS_AT_ONCE), processId)
    await dropLostStreams(db, clock.now())
  }

  // Serialised: a restore rewrites rows, so it must not run between a release and its deletion. A release that failed
  // in the database is retried with the next restore.
  const flush = oneAtATime(async () => {
    await flushReleased()
    if (isRestoreDue) await restoreHeld()
  }, onError)
  const give = (stream: StreamRow): Promise<void> => {
    held.delete(stream.streamId)
    released.set(stream.streamId, stream)
    return flush()
  }
  const stopRestoring = timers.every(RESTORE_MS, () => {
    isRestoreDue = true
    void flush()
  })

  return {
    take: async ({ appId, subject }, deviceId) => {
      const stream: StreamRow = { streamId: randomUUID(), appId, subject, deviceId }
      try {
        const reached = await db.transaction((tx) => openStream(tx, { ...stream, processId }, clock.now(), limits))
        if (reached !== null) return reached
      } catch (error) {
        // The database may have taken the slot, and only the answer was lost.
        void give(stream)
        throw error
      }
      held.set(stream.streamId, stream)
      return { release: () => (held.has(stream.streamId) ? give(stream) : flush()) }
    },
    close: async () => {
      stopRestoring()
      for (const stream of [...held.values()]) released.set(stream.streamId, stream)
      held.clear()
      await flush()
    },
  }
}
