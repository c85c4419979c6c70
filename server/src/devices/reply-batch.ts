import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import { joinChanges } from '@conversation-gateway/openapi/behaviour/activities'
import type { Timers } from '../runtime/timers.ts'
import type { ReplyPart } from '../writer/run-rules.ts'

/**
 * Number of parts that may wait for the next statement. Beyond it, adjacent parts are merged where possible, to keep
 * memory and statements small.
 */
export const WAITING_PARTS = 64

/** The timer that all runs of a worker share to write their streamed parts. */
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

/** Buffers the streamed message of one run for the database. */
export interface ReplyBatch {
  /**
   * Adds a piece of text or a change of an activity, without waiting. The first one is written in the same turn of the
   * event loop, together with all others of that turn.
   */
  push(piece: Piece): void
  /** Writes the pending parts; resolves when everything is written or the batch has closed. */
  drain(): Promise<void>
  /** Ends the batch: resolves with the unwritten parts once all earlier ones are written; the caller writes them. */
  end(): Promise<readonly ReplyPart[]>
}

/** A piece of text, or a change of an activity. */
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
      if (waiting.length >= WAITING_PARTS) waiting = joinAdjacent(waiting)
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

/** Merges adjacent pairs of text, or of one activity. */
const joinAdjacent = (pieces: readonly Piece[]): Piece[] => {
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
