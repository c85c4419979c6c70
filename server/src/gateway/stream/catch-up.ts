import type { EventLog } from '../../store/history/events.ts'
import type { EventFrames } from './event-page.ts'
import { encodePage } from './event-page.ts'
import type { EventReader } from './event-reader.ts'
import type { Subscriber } from './subscriber.ts'

/**
 * Sends a subscriber the logged events after its position, page by page, each only when the reader has taken the
 * previous one. Returns false if needed events were pruned meanwhile, or the log has lost its end.
 * @param lastSeq A committed seq. If a run's stream has no further event up to `lastSeq`, the subscriber's position
 * moves to `lastSeq`.
 */
export const catchUp = async (
  reader: EventReader,
  frames: EventFrames,
  log: EventLog,
  subscriber: Subscriber,
  lastSeq: number,
): Promise<boolean> => {
  let committed = lastSeq
  let hasCaughtUp = subscriber.position >= lastSeq
  while (!hasCaughtUp && subscriber.open) {
    const { events, more } = await reader.readPage(log, subscriber.position)
    // Read after the page, so that every pruned event of the page is below this mark.
    const bounds = await reader.readBounds(log.appId, log.conversationId)
    if (bounds.prunedSeq > subscriber.position || bounds.lastSeq < subscriber.position) return false
    hasCaughtUp = !more
    const page = encodePage(frames, log.conversationId, events)
    const due = page?.framesAfter(subscriber.position, null) ?? null
    subscriber.position = Math.max(subscriber.position, page?.lastSeq ?? 0, more ? 0 : committed)
    committed = bounds.lastSeq
    // The log may have grown during a slow read; the reader joins the live stream only when it has caught up.
    if (due !== null && !(await subscriber.offer(due))) hasCaughtUp = false
  }
  return true
}
