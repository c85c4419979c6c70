import { CursorExpiredError } from '../errors.ts'
import type { EndPlace, StreamOptions } from '../events/stream-source.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import type { CallOptions } from './options.ts'

/** Finds the end of a stream from the observed record and the log of its conversation. */
export interface EndSpec<T> {
  readonly poll: (options: CallOptions) => PromiseLike<T>
  readonly isDone: (record: T) => boolean
  readonly readSnapshot: (record: T, options: CallOptions) => PromiseLike<{ readonly watermark: number }>
  readonly readLog: (record: T, options: StreamOptions) => AsyncIterable<EventEnvelope>
}

/**
 * Proves from records whether the last event of a run lies at or before the position. A silent stream proves nothing,
 * because a proxy or a slow gateway may send comments before it sends events.
 * @param isLast Whether an event of the conversation is the last event of the run.
 */
export async function findEnd<T>(
  { poll, isDone, readSnapshot, readLog }: EndSpec<T>,
  isLast: (event: EventEnvelope) => boolean,
  position: number | null,
  options: CallOptions & Pick<StreamOptions, 'signal'>,
): Promise<EndPlace> {
  const record = await poll(options)
  if (!isDone(record)) return 'running'
  try {
    // The snapshot is read after the run has ended, so the run's last event is at or before this watermark.
    const { watermark } = await readSnapshot(record, options)
    if (position !== null && position >= watermark) return 'passed'
    const newest = readLog(record, { ...options, after: watermark - 1 })
    if (position === null && (await isPruned(newest))) return 'passed'
    for await (const event of readLog(record, { ...options, after: position ?? undefined })) {
      if (isLast(event)) return 'awaited'
      if (event.seq >= watermark) return 'passed'
    }
  } catch {
    // A failed read proves nothing: a key may have access to the run but not to its conversation.
  }
  return 'awaited'
}

/** Whether the newest event of the log, and therefore every event, has been pruned. */
const isPruned = async (newest: AsyncIterable<EventEnvelope>): Promise<boolean> => {
  try {
    for await (const _ of newest) break
    return false
  } catch (error) {
    if (error instanceof CursorExpiredError) return true
    throw error
  }
}
