import type { EventReader } from '../../src/gateway/stream/event-reader.ts'
import type { StoredEvent } from '../../src/store/history/events.ts'

/** The event log of one conversation in memory, read as the hub reads the database. */
export interface MemoryLog extends EventReader {
  readonly lastSeq: number
  /** How often a page was read. */
  readonly pageReads: number
  /** How often a look for moved logs was taken. */
  readonly looks: number
  append(runId?: string | null, text?: string): StoredEvent
  /** Serves nothing up to a seq any more; of the rows themselves every n-th stays, where that is given. */
  prune(upToSeq: number, keepEvery?: number): void
  /** Ends again at a seq that it had passed, as a restored database does. */
  restore(lastSeq: number): void
  /** The seqs after a position, of one run or of all, whether pruned or not. */
  seqsAfter(position: number, runId: string | null): number[]
  /** The next page read fails with this. */
  failNextRead(error: Error): void
}

export interface MemoryLogOptions {
  readonly pageEvents?: number
  /** What happens around each look into the log; by default the next microtask. */
  readonly during?: <T>(look: () => T) => Promise<T>
}

export const LOG = { appId: 'app_1', conversationId: 'conv_1' }

export const createMemoryLog = ({ pageEvents = 100, during }: MemoryLogOptions = {}): MemoryLog => {
  const history: StoredEvent[] = []
  let events: StoredEvent[] = history
  let prunedSeq = 0
  let pageReads = 0
  let looks = 0
  let failure: Error | null = null
  const look = during ?? (async (read) => read())
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
      look(() => {
        pageReads++
        const error = failure
        failure = null
        if (error !== null) throw error
        const found = events.filter((event) => event.seq > afterSeq && (runId ?? event.runId) === event.runId)
        return { events: found.slice(0, pageEvents), more: found.length >= pageEvents }
      }),
    readBounds: () => look(() => ({ lastSeq: history.length, prunedSeq })),
    findMoved: (positions) =>
      look(() => {
        looks++
        const lastSeq = history.length
        return positions
          .filter(({ lowest, highest }) => lowest < lastSeq || highest > lastSeq)
          .map(({ appId, conversationId }) => ({ appId, conversationId, lastSeq, prunedSeq }))
      }),
  }
}

/** A log that has so many events already. */
export const filled = (count: number, pageEvents?: number) => {
  const log = createMemoryLog(pageEvents === undefined ? {} : { pageEvents })
  for (let seq = 1; seq <= count; seq++) log.append()
  return log
}
