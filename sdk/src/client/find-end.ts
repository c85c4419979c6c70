import { CursorExpiredError } from '../errors.ts'
import type { EndPlace, StreamOptions } from '../events/stream-source.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import type { CallOptions } from './options.ts'

/** How the end of a stream is found: from the record that it shows, and from the log of its conversation. */
export interface EndSpec<T> {
  readonly poll: (options: CallOptions) => PromiseLike<T>
  readonly isDone: (record: T) => boolean
  readonly readSnapshot: (record: T, options: CallOptions) => PromiseLike<{ readonly watermark: number }>
  readonly readLog: (record: T, options: StreamOptions) => AsyncIterable<EventEnvelope>
}

/**
 * Proves from records whether the last event of a run lies at or before the position. A stream that is silent proves
 * nothing: a proxy, or a gateway that is slow, sends comments before it sends events.
 * @param isLast Whether an event of the conversation is the one that is looked for.
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
    // It is read after the run has ended, so that the last event is at or before it.
    const { watermark } = await readSnapshot(record, options)
    if (position !== null && position >= watermark) return 'passed'
    const newest = readLog(record, { ...options, after: watermark - 1 })
    if (position === null && (await isPruned(newest))) return 'passed'
    for await (const event of readLog(record, { ...options, after: position ?? undefined })) {
      if (isLast(event)) return 'awaited'
      if (event.seq >= watermark) return 'passed'
    }
  } catch {
    // What cannot be read proves nothing: a key may be allowed the run and not its conversation.
  }
  return 'awaited'
}

/** Whether the newest event of the log has been pruned, and so every event. */
const isPruned = async (newest: AsyncIterable<EventEnvelope>): Promise<boolean> => {
  try {
    for await (const _ of newest) break
    return false
  } catch (error) {
    if (error instanceof CursorExpiredError) return true
    throw error
  }
}
