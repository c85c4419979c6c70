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

/** The hub's access to logs. */
export interface EventReader {
  readPage(log: EventLog, afterSeq: number): Promise<EventPage>
  readBounds(appId: string, conversationId: string): Promise<LogBounds>
  /** The logs that have events after a reader's position, or that end before one. */
  findMoved(positions: readonly LogPositions[]): Promise<MovedLog[]>
}

/** Pages are small enough that several fit into a reader's buffer of 1 MiB. */
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
