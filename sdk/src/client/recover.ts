import { TimeoutError } from '../errors.ts'
import type { ReplayedAnswers } from '../generated/namespaces.ts'
import type { IdempotentOperationId } from '../generated/operations.ts'
import type { DamagedEntry, Outbox } from '../outbox/outbox.ts'
import type { ReplayHandle } from '../replay-handle.ts'
import { unknownOutcome } from '../transport/send.ts'
import type { Calls } from './calls.ts'
import type { CallOptions } from './options.ts'
import type { Outcome, PendingCall } from './pending-call.ts'

/** The result of `recover()` for one entry: the outcome of the intention, or that its record is damaged. */
export type Recovery<Id extends IdempotentOperationId = IdempotentOperationId> =
  | ({ readonly handle: ReplayHandle<Id> } & Outcome<ReplayedAnswers[Id], ReplayHandle<Id>>)
  | ({ readonly kind: 'damaged' } & DamagedEntry)

/** Entries are replayed concurrently to save time. */
const AT_ONCE = 8

interface Ended {
  readonly recovery: Recovery
  /** Called when the program requests the next recovery. */
  readonly take: () => Promise<void>
}

/**
 * Replays the entries of the outbox and yields each outcome as soon as it is known. A settled entry is deleted when the
 * next one is requested. While nothing can be settled, the timeout of one call applies to all of them together.
 */
export async function* recover(
  calls: Calls,
  outbox: Outbox,
  options: CallOptions = {},
): AsyncGenerator<Recovery, void, undefined> {
  const { origin, timing, times } = calls.settings
  const { timeoutMs = times.timeoutMs, signal } = options
  const leftovers = outbox.leftovers(origin, timing, signal)[Symbol.asyncIterator]()
  const running = new Set<Promise<void>>()
  const ended: Ended[] = []
  const taken: Promise<void>[] = []
  let pulling: Promise<void> | null = null
  let isAll = false
  let progressAt = timing.elapsed()

  const replay = async (handle: ReplayHandle): Promise<void> => {
    const remainingMs = progressAt + timeoutMs - timing.elapsed()
    if (remainingMs <= 0) {
      const cause = new TimeoutError(`Not replayed: nothing could be settled for ${timeoutMs} ms.`)
      const error = unknownOutcome(handle.operationId, handle, cause)
      ended.push({ recovery: { handle, kind: 'unknown', error }, take: async () => {} })
      return
    }
    const call: PendingCall<ReplayedAnswers[IdempotentOperationId], ReplayHandle> = calls.replay(handle, {
      ...options,
      timeoutMs: remainingMs,
    })
    const outcome = await call.peekOutcome()
    if (outcome.kind !== 'unknown') progressAt = timing.elapsed()
    ended.push({ recovery: { handle, ...outcome }, take: () => call.take() })
  }
  const pull = async (): Promise<void> => {
    const { done, value } = await leftovers.next()
    if (done) isAll = true
    else if (value.kind === 'damaged') ended.push({ recovery: value, take: async () => {} })
    else {
      const replayed = replay(value.handle).finally(() => running.delete(replayed))
      // The race below rethrows a failure while the caller still iterates.
      replayed.catch(() => {})
      running.add(replayed)
    }
  }

  try {
    for (;;) {
      if (!isAll && pulling === null && running.size < AT_ONCE) {
        pulling = pull().then(() => {
          pulling = null
        })
        // A failure of the store is thrown by the race below, after all known outcomes were yielded.
        pulling.catch(() => {})
      }
      const next = ended.shift()
      if (next) {
        yield next.recovery
        taken.push(next.take())
      } else if (isAll && running.size === 0) return
      else await Promise.race(pulling ? [pulling, ...running] : running)
    }
  } finally {
    // The next recovery must not find these entries.
    await Promise.all(taken)
  }
}
