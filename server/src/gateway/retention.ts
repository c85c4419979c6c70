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
  /** How long events and their deliveries' payloads are kept after they were recorded, in milliseconds. */
  readonly eventsMs: number
  /**
   * How long messages and results are kept after their run has ended, and attachments after the last run that used them
   * has ended. Completed operations, approvals and deliveries are kept for the same time.
   */
  readonly bodiesMs: number
}

/** From "Limits" in the specification. */
export const DEFAULT_RETENTION: Retention = { eventsMs: LIMITS.eventsMs, bodiesMs: LIMITS.bodiesMs }
/** How long audit records are kept. */
export const AUDIT_KEPT_MS = 400 * DAY_MS
/** How long lost uploads are kept: far longer than the maximum duration of a request. */
const UPLOAD_KEPT_MS = HOUR_MS

/** Maximum rows removed by one transaction. */
const BATCH_ROWS = 500

/** Maximum consecutive batches of one kind, so that a large backlog of one kind does not starve the others. */
const BATCHES_OF_TURN = 20

/** Repeats a step until it finds nothing, and yields to the event loop between steps. False if it stopped earlier. */
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

/** Creates steps that continue where the previous one stopped; after an empty step they start over. */
const fromOldest = (step: (due: Due) => Promise<RemovalStep>): ((before: Date) => Promise<number>) => {
  const start = new Date(0)
  let from = start
  return async (before) => {
    const { found, reached } = await step({ from, before })
    from = found === 0 ? start : (reached ?? from)
    return found
  }
}

/**
 * Drops a conversation's events up to a seq. Returns how many are no longer served, or null for an unknown
 * conversation.
 */
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

/** Removes one kind of record at the end of its retention. */
export interface Sweep {
  readonly name: string
  /**
   * Removes due rows in small transactions until none is left, its turn is over, or the signal aborts. Resolves with
   * whether all were removed.
   */
  run(signal: AbortSignal): Promise<boolean>
}

/** Conversations with leftover events that one round handles. */
const LEFT_BEHIND_CONVERSATIONS = 1000
/** Overlap of rounds, for commits in progress and clock differences. */
const OVERLAP_MS = 60_000

/** Creates all sweeps. Any number of processes may run them at any time. */
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
  // The first round covers the last hour. The sweep `events` removes older events that an earlier process left behind.
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
