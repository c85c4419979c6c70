import { randomUUID } from 'node:crypto'
import type { Clock } from '../../domain/clock.ts'
import type { Tenant } from '../../domain/tenant.ts'
import type { Db } from '../../store/db.ts'
import type { StreamLimit, StreamLimits, StreamRow } from '../../store/streams.ts'
import { closeStreams, dropLapsedStreams, openStream, renewStreams } from '../../store/streams.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { Timers } from './timers.ts'

/** The places for event streams, of which all processes of a gateway together have so many (D-31). */
export interface StreamSlots {
  /** Takes a place, or says which limit stands in the way. */
  take(tenant: Tenant, deviceId: string): Promise<StreamSlot | StreamLimit>
  /** Gives back every place. */
  close(): Promise<void>
}

export interface StreamSlot {
  /** Gives the place back; resolves when others can have it. */
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

/** How long the streams of a crashed process count: well below the 60 s of D-31, because clocks differ. */
const LEASE_MS = 40_000
/** Two renewals may fail before a lease runs out. */
const RENEW_MS = 12_000
/** Streams that one statement renews. */
const STREAMS_AT_ONCE = 1000

export const createStreamSlots = (options: StreamSlotsOptions): StreamSlots => {
  const { db, clock, timers, processId, limits, onError } = options
  const held = new Map<string, StreamRow>()
  const released = new Map<string, StreamRow>()
  let isRenewalDue = false

  const lease = () => {
    const now = clock.now()
    return { processId, now, expiresAt: new Date(now.getTime() + LEASE_MS) }
  }
  const flushReleased = async (): Promise<void> => {
    const closed = [...released.values()]
    if (closed.length === 0) return
    await closeStreams(db, closed)
    for (const { streamId } of closed) released.delete(streamId)
  }
  const renewHeld = async (): Promise<void> => {
    isRenewalDue = false
    const streams = [...held.values()]
    for (let start = 0; start < streams.length; start += STREAMS_AT_ONCE)
      await renewStreams(db, streams.slice(start, start + STREAMS_AT_ONCE), lease())
    await dropLapsedStreams(db, clock.now())
  }

  // One after the other: a renewal writes rows anew, so it must not come between a release and its deletion. What
  // could not be released for a fault of the database is tried again with the next renewal.
  const flush = oneAtATime(async () => {
    await flushReleased()
    if (isRenewalDue) await renewHeld()
  }, onError)
  const give = (stream: StreamRow): Promise<void> => {
    held.delete(stream.streamId)
    released.set(stream.streamId, stream)
    return flush()
  }
  const stopRenewing = timers.every(RENEW_MS, () => {
    isRenewalDue = true
    void flush()
  })

  return {
    take: async ({ appId, subject }, deviceId) => {
      const stream: StreamRow = { streamId: randomUUID(), appId, subject, deviceId }
      try {
        const reached = await db.transaction((tx) => openStream(tx, stream, lease(), limits))
        if (reached !== null) return reached
      } catch (error) {
        // The answer may be all that was lost.
        void give(stream)
        throw error
      }
      held.set(stream.streamId, stream)
      return { release: () => (held.has(stream.streamId) ? give(stream) : flush()) }
    },
    close: async () => {
      stopRenewing()
      for (const stream of [...held.values()]) released.set(stream.streamId, stream)
      held.clear()
      await flush()
    },
  }
}
