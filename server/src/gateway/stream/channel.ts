import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { oneAtATime } from '../../runtime/one-at-a-time.ts'
import type { CancelTimer, Timers } from '../../runtime/timers.ts'
import type { EventLog, StoredEvent } from '../../store/history/events.ts'
import type { LogBounds } from '../../store/history/log-bounds.ts'
import type { EncodedPage, EventFrames } from './event-page.ts'
import { encodePage } from './event-page.ts'
import type { EventPage, EventReader } from './event-reader.ts'
import type { Subscriber } from './subscriber.ts'

/** The live part of one conversation's log in this process: one reader for all subscribers that have caught up. */
export interface Channel {
  readonly log: EventLog
  /** Adds a subscriber that has caught up, and reads on from its position. */
  attach(subscriber: Subscriber): void
  /** Returns whether the channel has no subscribers left. */
  detach(subscriber: Subscriber): boolean
  /** Sends new events: the given ones if they follow without a gap; otherwise it reads the log. */
  readOn(written?: readonly StoredEvent[]): void
  /** The lowest and highest positions of its subscribers; the next read starts after the lowest. */
  positions(): { readonly lowest: number; readonly highest: number }
  /** Ends the streams whose positions are outside the log. */
  endOutside(bounds: LogBounds): void
}

export interface ChannelOptions {
  readonly reader: EventReader
  readonly frames: EventFrames
  readonly clock: Clock
  readonly timers: Timers
  /** Delay after a failed read. */
  readonly retryMs: number
  readonly onError: (error: unknown) => void
  /** Called with the age of the newest event after each read that returned events. */
  readonly onLag: (lagMs: number) => void
}

/** Maximum events buffered for the next read; beyond it, the log is read. */
const BUFFERED_AT_MOST = 1000

export const createChannel = (appId: string, conversationId: string, options: ChannelOptions): Channel => {
  const { reader, frames, clock, timers, retryMs, onError, onLag } = options
  const log: EventLog = { appId, conversationId, runId: null }
  const subscribers = new Set<Subscriber>()
  let cancelRetry: CancelTimer = () => {}
  /** The events passed in since the last read, in order, and whether they are complete. */
  let buffered: StoredEvent[] = []
  let isComplete = true

  const positions = () => {
    let [lowest, highest] = [Number.POSITIVE_INFINITY, 0]
    for (const { position } of subscribers) {
      lowest = Math.min(lowest, position)
      highest = Math.max(highest, position)
    }
    return { lowest, highest }
  }

  /** Empties the buffer. Returns its events if they follow a seq without a gap; otherwise null. */
  const takeBuffered = (from: number): EventPage | null => {
    const events = buffered.filter(({ seq }) => seq > from)
    const isNext = isComplete && events.length > 0 && events.every(({ seq }, index) => seq === from + 1 + index)
    buffered = []
    isComplete = true
    return isNext ? { events, more: false } : null
  }

  const read = oneAtATime(
    async () => {
      cancelRetry()
      if (subscribers.size === 0) return
      const from = positions().lowest
      const page = takeBuffered(from) ?? (await reader.readPage(log, from))
      const encoded = encodePage(frames, conversationId, page.events)
      if (encoded === null) return
      onLag(clock.now().getTime() - encoded.writtenAt.getTime())
      for (const subscriber of subscribers) sendPage(encoded, from, subscriber)
      if (page.more) readOn()
    },
    (error) => {
      onError(error)
      cancelRetry = timers.after(retryMs, () => readOn())
    },
  )
  const readOn = (written?: readonly StoredEvent[]): void => {
    if (written === undefined || buffered.length + written.length > BUFFERED_AT_MOST) isComplete = false
    else buffered.push(...written)
    void read()
  }

  return {
    log,
    attach: (subscriber) => {
      subscribers.add(subscriber)
      readOn()
    },
    detach: (subscriber) => {
      subscribers.delete(subscriber)
      if (subscribers.size === 0) cancelRetry()
      return subscribers.size === 0
    },
    readOn,
    positions,
    endOutside: ({ prunedSeq, lastSeq }) => {
      for (const subscriber of subscribers)
        if (subscriber.position < prunedSeq || subscriber.position > lastSeq) subscriber.end()
    },
  }
}

/** Sends a subscriber its events of a page that was read after `from`. */
const sendPage = (page: EncodedPage, from: number, subscriber: Subscriber): void => {
  // The subscriber joined during the read, at an earlier position; the next read begins there.
  if (subscriber.position < from) return
  // A conversation's log has no gaps, so missing events were pruned: the reader must start over (410).
  if (subscriber.position < page.unbrokenFrom - 1) {
    subscriber.end()
    return
  }
  const due = page.framesAfter(subscriber.position, subscriber.runId)
  subscriber.position = Math.max(subscriber.position, page.lastSeq)
  if (due !== null) subscriber.push(due)
}
