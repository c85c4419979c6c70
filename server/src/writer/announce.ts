import { isExecuting } from '@conversation-gateway/openapi/behaviour/run-state'
import type { EventRow } from '../store/batch/tables.ts'
import type { StoredEvent } from '../store/history/events.ts'
import type { ChangedConversation } from './batch.ts'
import { countQueued, findExecuting } from './conversation.ts'
import { runEndsOf } from './run-end.ts'

const toStoredEvent = (row: EventRow, createdAt: Date): StoredEvent => ({
  seq: row.seq,
  eventId: row.event_id,
  generation: row.generation,
  runId: row.run_id,
  messageId: row.message_id,
  type: row.type,
  payload: row.payload,
  createdAt,
})

/** Notifies streams, workers and deliveries of the changes of a committed batch. */
export const announce = (changed: readonly ChangedConversation[], deliveries: number): void => {
  if (deliveries > 0) changed[0]?.context.wakeups.deliveriesAdded()
  for (const { open, events, context } of changed) {
    const { work, changedRuns } = open.draft
    const { wakeups } = context
    for (const end of runEndsOf(open.draft, open.traceparents)) wakeups.runEnded(end)
    wakeups.conversationChanged({
      appId: work.appId,
      conversationId: work.conversationId,
      events: events.map((event) => toStoredEvent(event, open.draft.now)),
    })
    for (const run of changedRuns) if (isExecuting(run.state)) wakeups.runChanged(run.runId)
    // If no run executes any more, the next one can start.
    if (countQueued(open) > 0 && findExecuting(open) === null) wakeups.workAvailable(work.deviceId)
  }
}
