import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import { joinChanges } from '@conversation-gateway/openapi/behaviour/activities'
import type { Timers } from '../runtime/timers.ts'
import type { ReplyPart } from '../writer/run-rules.ts'

/** Parts that wait for the next statement; beyond that neighbours are joined, so that memory and statements stay small. */
export const WAITING_PARTS = 64

/** The rhythm in which all runs of a worker write what they stream: one timer for all of them. */
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

/** The streamed message of one run on its way to the database. */
export interface ReplyBatch {
  /** Takes a piece of text or a change of an activity, never waits. The first one goes out in the same turn of the event loop, with what comes in that turn. */
  push(piece: Piece): void
  /** Writes what waits; resolves when everything is written or the batch has closed. */
  drain(): Promise<void>
  /** Ends the batch: resolves with what waits once all before it is written; nobody else writes it. */
  end(): Promise<readonly ReplyPart[]>
}

/** What a run puts out, in its order. */
export type Piece = string | ActivityUpdate

/** @param write writes parts in one statement; false closes the batch: nothing more is written. It must not throw. */
export const createReplyBatch = (
  window: DeltaWindow,
  write: (parts: readonly ReplyPart[]) => Promise<boolean>,
): ReplyBatch => {
  let waiting: Piece[] = []
  let nextPlace = 0
  let nextIndex = 0
  let writing: Promise<void> | null = null
  let started = false
  let closed = false

  const takeWaiting = (): ReplyPart[] => {
    const parts = waiting.map((piece) => {
      const place = nextPlace++
      return typeof piece === 'string' ? { place, index: nextIndex++, text: piece } : { place, activity: piece }
    })
    waiting = []
    return parts
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
    push: (piece) => {
      if (closed) return
      if (waiting.length >= WAITING_PARTS) waiting = joinNeighbours(waiting)
      waiting.push(piece)
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

/** Joins pairs of neighbours that belong together: of a text, or of one activity. */
const joinNeighbours = (pieces: readonly Piece[]): Piece[] => {
  const joined: Piece[] = []
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] ?? ''
    const next = pieces[at + 1]
    const pair = next === undefined ? null : join(piece, next)
    joined.push(pair ?? piece)
    if (pair !== null) at += 1
  }
  return joined
}

const join = (piece: Piece, next: Piece): Piece | null => {
  if (typeof piece === 'string') return typeof next === 'string' ? piece + next : null
  return typeof next === 'string' || next.activity_id !== piece.activity_id ? null : joinChanges(piece, next)
}
