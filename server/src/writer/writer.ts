import type { Db } from '../store/db.ts'
import { DatabaseUnavailable, LockTimeout } from '../store/db.ts'
import { randomShard } from '../store/pending-runs.ts'
import { announce } from './announce.ts'
import type { BatchOptions, PerformedBatch } from './batch.ts'
import { keyOf, performBatch } from './batch.ts'
import type { Asked, Change, WriterContext } from './change.ts'
import type { Queued } from './queue.ts'
import { createQueue } from './queue.ts'
import type { FreeSlots } from './starts.ts'
import { createBatchStarts } from './starts.ts'

/**
 * The writer of the work in conversations: every change of their messages, runs, operations and events goes through it,
 * or through `performBatch` within its own transaction. Two changes do not: `store/claims.ts` starts queued runs, and
 * erasure and retention remove records. A change starts in the next turn of the event loop if a counter shard is free
 * and no running batch has its conversation. Otherwise it waits, and the waiting changes form the next batch. There is
 * no timer.
 *
 * A change in the queue has one of three modes:
 *
 * - `batched`: it is carried out with changes of other conversations, in a batch that waits for no conversation's lock.
 *   Every change starts here.
 * - `waitsForLock`: it is carried out with other changes of its conversation, in a batch that waits for the lock of
 *   that one.
 * - `single`: it is carried out alone, and waits for locks.
 *
 * Its batch ends in one of these ways:
 *
 * - committed: the change is acknowledged, and never carried out again, even if the acknowledgement is lost.
 * - committed, but the conversation of the change was not found: a `batched` change becomes `waitsForLock`, because
 *   another transaction may have locked the conversation. In the other modes the conversation does not exist, and the
 *   answer is null.
 * - failed because of one of several changes, or on a lock that it may not wait for: every change of the batch becomes
 *   `single`, so that one faulty change cannot fail others.
 * - failed otherwise: the change is rejected.
 */
export interface Writer {
  /**
   * Executes a change; null if the conversation does not exist. Resolves once it is committed.
   * @throws {DatabaseUnavailable} under the same conditions as a separate transaction, and if too many changes wait.
   */
  write<Result>(context: WriterContext, change: Change<Result>): Promise<Result | null>
}

/** Maximum concurrent batches that may wait for a lock. */
const WAITING_BATCHES = 6
/** Approximate bytes of a change besides its texts. */
const BYTES_OF_CHANGE = 1024
/** Maximum queued changes; further ones are rejected. */
const WAITING_AT_MOST = 4000

/** A change in the queue. Its decision returns a function that acknowledges the change after the commit. */
interface Entry extends Queued, Asked<() => void> {
  readonly answerMissing: () => void
  readonly reject: (error: unknown) => void
}

type Committed = PerformedBatch<() => void> & { readonly deliveries: number }

/**
 * Sends COMMIT without waiting for the answer to the writes. A batch that may wait for locks waits for the writes
 * first, because it may have to be restarted.
 */
const commit = async (db: Db, batch: readonly Entry[], options: BatchOptions): Promise<Committed> => {
  const attempts: PerformedBatch<() => void>[] = []
  try {
    const last = await db.transaction(
      async (tx) => {
        const performed = await performBatch(tx, batch, options)
        attempts.push(performed)
        if (options.waits) await performed.written
        return performed
      },
      { waitsForLocks: options.waits },
    )
    return { ...last, deliveries: await last.written }
  } catch (error) {
    // The reason for a rollback is in the answer to the writes, not to the commit.
    if (!(error instanceof DatabaseUnavailable)) await attempts.at(-1)?.written
    throw error
  }
}

/** Whether the changes of a batch that failed may succeed one by one. */
const maySucceedSingly = (error: unknown, batch: readonly Entry[], { waits }: BatchOptions): boolean => {
  if (error instanceof LockTimeout) return !waits
  return batch.length > 1 && !(error instanceof DatabaseUnavailable)
}

export const createWriter = (db: Db, freeSlots: FreeSlots | null = null): Writer => {
  const queue = createQueue<Entry>()
  /**
   * Conversations of the running batches. A conversation is in at most one running batch, so that batches of this
   * process never wait for each other.
   */
  const busy = new Set<string>()
  /**
   * The counter shards that no batch uses. Two batches without waiting may overlap: one commits while the next reads
   * and decides. The embedded database has one connection.
   */
  const freeShards = db.kind === 'embedded' ? [randomShard()] : [randomShard(), randomShard()]
  let waitingBatches = 0
  let isScheduled = false

  const pump = (): void => {
    isScheduled = false
    while (waitingBatches < WAITING_BATCHES) {
      const batch = queue.takeUnbatched(busy)
      if (batch.length === 0) break
      waitingBatches += 1
      void carryOut(batch, { waits: true, shard: randomShard() }).finally(() => {
        waitingBatches -= 1
        schedule()
      })
    }
    for (const shard of freeShards.splice(0)) {
      const batch = queue.takeBatch(busy)
      if (batch.length === 0) {
        freeShards.push(shard)
        continue
      }
      void carryOut(batch, { waits: false, shard }).finally(() => {
        freeShards.push(shard)
        schedule()
      })
    }
  }

  /** Changes of one turn of the event loop form one batch. */
  const schedule = (): void => {
    if (isScheduled || queue.size === 0) return
    isScheduled = true
    setImmediate(pump)
  }

  const carryOut = async (batch: readonly Entry[], how: Omit<BatchOptions, 'starts'>): Promise<void> => {
    const starts = freeSlots === null ? null : createBatchStarts(freeSlots)
    const options = { ...how, starts }
    for (const { key } of batch) busy.add(key)
    const committed = await commit(db, batch, options).catch((error: unknown) => {
      starts?.end(error instanceof DatabaseUnavailable ? error.outcome : 'none')
      if (maySucceedSingly(error, batch, options)) queue.putBack(batch, 'single')
      else for (const entry of batch) entry.reject(error)
      return null
    })
    for (const { key } of batch) busy.delete(key)
    if (committed === null) return
    const skipped: Entry[] = []
    for (const [index, entry] of batch.entries()) {
      const outcome = committed.outcomes[index] ?? 'missing'
      if (outcome !== 'missing') outcome.result()
      else if (options.waits) entry.answerMissing()
      else skipped.push(entry)
    }
    queue.putBack(skipped, 'waitsForLock')
    starts?.end('committed')
    announce(committed.changed, committed.deliveries)
  }

  return {
    write: <Result>(context: WriterContext, change: Change<Result>) =>
      new Promise<Result | null>((resolve, reject) => {
        if (queue.size >= WAITING_AT_MOST)
          throw new DatabaseUnavailable(`more than ${WAITING_AT_MOST} changes wait for the database`)
        queue.add({
          context,
          change: {
            ...change,
            decide: (open, found) => {
              const result = change.decide(open, found)
              return () => resolve(result)
            },
          },
          key: keyOf(change.conversation),
          bytes: BYTES_OF_CHANGE + (change.bytes ?? 0),
          mode: 'batched',
          answerMissing: () => resolve(null),
          reject,
        })
        schedule()
      }),
  }
}
