import type { EventReader } from '../../src/gateway/stream/event-reader.ts'
import type { StoredEvent } from '../../src/store/history/events.ts'

/** The event log of one conversation in memory, which the hub reads instead of the database. */
export interface MemoryLog extends EventReader {
  readonly lastSeq: number
  /** The number of pages read. */
  readonly pageReads: number
  /** The number of calls of `findMoved`. */
  readonly looks: number
  append(runId?: string | null, text?: string): StoredEvent
  /** Marks the events up to a seq as pruned and removes their rows, except every n-th one if `keepEvery` is given. */
  prune(upToSeq: number, keepEvery?: number): void
  /** Removes the events after a seq, as restoring an older backup does. */
  restore(lastSeq: number): void
  /** The seqs after a position, of one run or of all runs, including pruned ones. */
  seqsAfter(position: number, runId: string | null): number[]
  /** Makes the next page read fail with this error. */
  failNextRead(error: Error): void
}

export interface MemoryLogOptions {
  readonly pageEvents?: number
  /** Wraps each read of the log. Default: the read happens at once. */
  readonly during?: <T>(read: () => T) => Promise<T>
}

export const LOG = { appId: 'app_1', conversationId: 'conv_1' }

export const createMemoryLog = ({ pageEvents = 100, during }: MemoryLogOptions = {}): MemoryLog => {
  const history: StoredEvent[] = []
  let events: StoredEvent[] = history
  let prunedSeq = 0
  let pageReads = 0
  let looks = 0
  let failure: Error | null = null
  const reading = during ?? (async (read) => read())
  return {
    get lastSeq() {
      return history.length
    },
    get pageReads() {
      return pageReads
    },
    get looks() {
      return looks
    },
    append: (runId = null, text = 'x') => {
      const seq = history.length + 1
      const event: StoredEvent = {
        seq,
        eventId: `evt_${seq}`,
        generation: 1,
        runId,
        messageId: runId === null ? null : `msg_${runId}`,
        type: 'assistant.delta',
        payload: JSON.stringify({ text, index: seq }),
        createdAt: new Date(seq),
      }
      history.push(event)
      if (events !== history) events.push(event)
      return event
    },
    prune: (upToSeq, keepEvery) => {
      prunedSeq = Math.max(prunedSeq, upToSeq)
      events = events.filter(({ seq }) => seq > prunedSeq || (keepEvery !== undefined && seq % keepEvery === 0))
    },
    restore: (lastSeq) => {
      history.length = lastSeq
      events = events.filter(({ seq }) => seq <= lastSeq)
    },
    seqsAfter: (position, runId) =>
      history.filter((event) => event.seq > position && (runId ?? event.runId) === event.runId).map(({ seq }) => seq),
    failNextRead: (error) => {
      failure = error
    },
    readPage: ({ runId }, afterSeq) =>
      reading(() => {
        pageReads++
        const error = failure
        failure = null
        if (error !== null) throw error
        const found = events.filter((event) => event.seq > afterSeq && (runId ?? event.runId) === event.runId)
        return { events: found.slice(0, pageEvents), more: found.length >= pageEvents }
      }),
    readBounds: () => reading(() => ({ lastSeq: history.length, prunedSeq })),
    findMoved: (positions) =>
      reading(() => {
        looks++
        const lastSeq = history.length
        return positions
          .filter(({ lowest, highest }) => lowest < lastSeq || highest > lastSeq)
          .map(({ appId, conversationId }) => ({ appId, conversationId, lastSeq, prunedSeq }))
      }),
  }
}

/** A log with this number of events of a run, or of none. */
export const filled = (count: number, pageEvents?: number, runId: string | null = null) => {
  const log = createMemoryLog(pageEvents === undefined ? {} : { pageEvents })
  for (let seq = 1; seq <= count; seq++) log.append(runId)
  return log
}
