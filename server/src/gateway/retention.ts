import { setImmediate } from 'node:timers/promises'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { findLeftBehindEvents, pruneOldEvents, pruneConversation as pruneStep } from '../store/admin/event-pruning.ts'
import type { Db } from '../store/db.ts'
import { removeGoneProcesses } from '../store/maintenance/processes.ts'
import {
  type Due,
  discardUploads,
  type Removal,
  type RemovalStep,
  removeApprovals,
  removeAuditRecords,
  removeBodies,
  removeDeliveries,
  removeIdempotencyRecords,
  removeOperations,
  removePayloads,
  removePendingResources,
  removePreviousSecrets,
  removeResources,
} from '../store/maintenance/retention.ts'
import { dropLostStreams } from '../store/streams.ts'
import { removeDiscardedPiece } from '../store/uploads.ts'
import type { GatewayContext } from './context.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface Retention {
  /** How long events, and what is to be delivered of them, are kept after they were recorded, in milliseconds. */
  readonly eventsMs: number
  /**
   * How long messages and results are kept after their run has ended; complete operations, approvals and deliveries likewise, and
   * attachments after the last run that used them has ended.
   */
  readonly bodiesMs: number
}

/** What the specification says under "Limits". */
export const DEFAULT_RETENTION: Retention = { eventsMs: LIMITS.eventsMs, bodiesMs: LIMITS.bodiesMs }
/** How long it can be found out who changed what. */
export const AUDIT_KEPT_MS = 400 * DAY_MS
/** Far longer than the server lets a request take. */
const UPLOAD_KEPT_MS = HOUR_MS

/** Rows that one transaction removes at most. */
const BATCH_ROWS = 500

/** Batches of one kind in a row, after which the other kinds get their turn: of one there may be more than a day can remove. */
const BATCHES_OF_TURN = 20

/** Repeats a step until it finds nothing; between steps everything else in the process gets its turn. False when it stopped before. */
const inBatches = async (
  step: () => Promise<number>,
  signal?: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> => {
  for (let batch = 0; batch < most && signal?.aborted !== true; batch += 1) {
    if ((await step()) === 0) return true
    await setImmediate()
  }
  return false
}

/** Makes steps of which each begins where the one before has come to; after one that found nothing they begin anew. */
const fromOldest = (step: (due: Due) => Promise<RemovalStep>): ((before: Date) => Promise<number>) => {
  const start = new Date(0)
  let from = start
  return async (before) => {
    const { found, reached } = await step({ from, before })
    from = found === 0 ? start : (reached ?? from)
    return found
  }
}

/** Drops a conversation's events up to a seq. Returns how many are no longer served, or null for an unknown conversation. */
export const pruneConversation = async (
  db: Db,
  conversation: { readonly appId: string; readonly conversationId: string },
  upToSeq: number,
): Promise<number | null> => {
  let pruned: number | null = null
  await inBatches(async () => {
    const step = await pruneStep(db, conversation, upToSeq, BATCH_ROWS)
    if (step !== null) pruned = (pruned ?? 0) + step.pruned
    return step?.settled ?? 0
  })
  return pruned
}

/** Drops the events of all conversations that were recorded before a moment. Returns how many are no longer served. */
export const pruneEventsBefore = async (db: Db, before: Date): Promise<number> => {
  let pruned = 0
  const step = fromOldest(async (due) => {
    const done = await pruneOldEvents(db, due, BATCH_ROWS)
    pruned += done.pruned
    return done
  })
  await inBatches(() => step(before))
  return pruned
}

/** Removes all discarded content of attachments, a piece at a time. */
export const removeDiscardedContent = async (
  { db }: Pick<GatewayContext, 'db'>,
  signal?: AbortSignal,
): Promise<void> => {
  await inBatches(() => removeDiscardedPiece(db), signal)
}

/** One kind of record whose time is limited. */
export interface Sweep {
  readonly name: string
  /**
   * Removes what is due now, in small transactions, until there is no more, its turn is over, or the signal aborts. Resolves
   * with whether all was removed.
   */
  run(signal: AbortSignal): Promise<boolean>
}

/** Conversations whose left-behind events one round looks at. */
const LEFT_BEHIND_CONVERSATIONS = 1000
/** Overlap of rounds, for commits that were under way and clocks that differ. */
const OVERLAP_MS = 60_000

/** Everything that is removed by time. Safe to run anywhere, at any time, by several processes at once. */
export const createSweeps = (
  { db, clock }: Pick<GatewayContext, 'db' | 'clock'>,
  { eventsMs, bodiesMs }: Retention = DEFAULT_RETENTION,
): readonly Sweep[] => {
  const before = (keptMs: number): Date => new Date(clock.now().getTime() - keptMs)
  const sweep = (name: string, remove: Removal, keptMs: number): Sweep => {
    const step = fromOldest((due) => remove(db, due, BATCH_ROWS))
    return {
      name,
      run: (signal) => {
        const limit = before(keptMs)
        return inBatches(() => step(limit), signal, BATCHES_OF_TURN)
      },
    }
  }
  const once = (name: string, remove: () => Promise<void>): Sweep => ({ name, run: () => remove().then(() => true) })
  // What an earlier process did not get to goes with its age.
  let leftBehindSince = before(HOUR_MS)
  return [
    sweep('events', pruneOldEvents, eventsMs),
    {
      name: 'events left behind',
      run: async (signal) => {
        const next = before(OVERLAP_MS)
        for (const conversation of await findLeftBehindEvents(db, leftBehindSince, LEFT_BEHIND_CONVERSATIONS)) {
          if (signal.aborted) return false
          await pruneConversation(db, conversation, 0)
        }
        leftBehindSince = next
        return true
      },
    },
    sweep('messages and results', removeBodies, bodiesMs),
    sweep('operations', removeOperations, bodiesMs),
    sweep('approvals', removeApprovals, bodiesMs),
    sweep('audit records', removeAuditRecords, AUDIT_KEPT_MS),
    sweep('pending attachments', removePendingResources, LIMITS.pendingResourceMs),
    sweep('attachments', removeResources, bodiesMs),
    sweep('payloads of callbacks', removePayloads, eventsMs),
    sweep('deliveries', removeDeliveries, bodiesMs),
    sweep('lost uploads', discardUploads, UPLOAD_KEPT_MS),
    sweep('idempotency records', removeIdempotencyRecords, LIMITS.idempotencyKeyMs),
    sweep('secrets from before a rotation', removePreviousSecrets, 0),
    once('lost streams', () => dropLostStreams(db, clock.now())),
    once('gone processes', () => removeGoneProcesses(db, clock.now())),
  ]
}
