import type { Db } from '../../store/db.ts'
import type { EventLog, EventPageLimits, StoredEvent } from '../../store/history/events.ts'
import { readEvents } from '../../store/history/events.ts'
import type { LogBounds, LogPositions, MovedLog } from '../../store/history/log-bounds.ts'
import { findMovedLogs, readLogBounds } from '../../store/history/log-bounds.ts'

/** Consecutive events of a log; `more` says that the page ended at its limits rather than at the end of the log. */
export interface EventPage {
  readonly events: readonly StoredEvent[]
  readonly more: boolean
}

/** What the hub reads logs through. */
export interface EventReader {
  readPage(log: EventLog, afterSeq: number): Promise<EventPage>
  readBounds(appId: string, conversationId: string): Promise<LogBounds>
  /** Those of the logs that have events after a position of their readers, or end before one. */
  findMoved(positions: readonly LogPositions[]): Promise<MovedLog[]>
}

/** Pages small enough that a reader's buffer of 1 MiB takes several. */
const PAGE: EventPageLimits = { events: 256, payloadBytes: 256 * 1024 }

export const createEventReader = (db: Db): EventReader => ({
  readPage: async (log, afterSeq) => {
    const events = await readEvents(db, log, afterSeq, PAGE)
    return { events, more: events.length >= PAGE.events || payloadBytes(events) > PAGE.payloadBytes }
  },
  readBounds: (appId, conversationId) => readLogBounds(db, appId, conversationId),
  findMoved: (positions) => findMovedLogs(db, positions),
})

const payloadBytes = (events: readonly StoredEvent[]): number =>
  events.reduce((total, { payload }) => total + Buffer.byteLength(payload), 0)
