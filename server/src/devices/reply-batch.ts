import type { NewDelta } from '../gateway/writer/run-rules.ts'
import type { Timers } from '../runtime/timers.ts'

/** Deltas that wait for the next statement; beyond that neighbours are joined, so that memory and statements stay small. */
export const WAITING_DELTAS = 64

/** The rhythm in which all runs of a worker write their deltas: one timer for all of them. */
export interface DeltaWindow {
  /** Calls `flush` when the current window ends. */
  join(flush: () => void): void
}

export const createDeltaWindow = ({ after }: Timers, deltaMs: number): DeltaWindow => {
  let joined = new Set<() => void>()
  const end = () => {
    const due = joined
    joined = new Set()
    for (const flush of due) flush()
  }
  return {
    join: (flush) => {
      if (joined.size === 0) after(deltaMs, end)
      joined.add(flush)
    },
  }
}

/** The streamed text of one run on its way to the database. */
export interface DeltaBatch {
  /** Takes a piece, never waits. The first one goes out in the same turn of the event loop, with what comes in that turn. */
  push(text: string): void
  /** Writes what waits; resolves when everything is written or the batch has closed. */
  drain(): Promise<void>
  /** Ends the batch: resolves with what waits once all before it is written; nobody else writes it. */
  end(): Promise<readonly NewDelta[]>
}

/** @param write writes deltas in one statement; false closes the batch: nothing more is written. It must not throw. */
export const createDeltaBatch = (
  window: DeltaWindow,
  write: (deltas: readonly NewDelta[]) => Promise<boolean>,
): DeltaBatch => {
  let waiting: string[] = []
  let nextIndex = 0
  let writing: Promise<void> | null = null
  let started = false
  let closed = false

  const takeWaiting = (): NewDelta[] => {
    const deltas = waiting.map((text) => ({ index: nextIndex++, text }))
    waiting = []
    return deltas
  }

  const flush = () => {
    if (writing !== null || waiting.length === 0) return
    writing = write(takeWaiting()).then((written) => {
      writing = null
      closed = !written
      if (closed) waiting = []
      else if (waiting.length > 0) window.join(flush)
    })
  }

  return {
    push: (text) => {
      if (closed) return
      if (waiting.length === WAITING_DELTAS) waiting = joinNeighbours(waiting)
      waiting.push(text)
      if (started) window.join(flush)
      else setImmediate(flush)
      started = true
    },
    drain: async () => {
      for (flush(); writing !== null; flush()) await writing
    },
    end: async () => {
      if (writing !== null) await writing
      closed = true
      return takeWaiting()
    },
  }
}

const joinNeighbours = (texts: readonly string[]): string[] =>
  texts.flatMap((text, index) => (index % 2 === 0 ? [text + (texts[index + 1] ?? '')] : []))
