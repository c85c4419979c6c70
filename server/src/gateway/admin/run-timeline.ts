import type { Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type { RunTimeline } from '@conversation-gateway/openapi/generated/admin-closed'
import { listAttempts } from '../../store/admin/deliveries.ts'
import * as store from '../../store/admin/run-timeline.ts'
import { findObservedRun } from '../../store/admin/runs.ts'
import type { GatewayContext } from '../context.ts'
import { attemptRecord, deliveryRecord } from './callbacks/callback-records.ts'
import type { AskedText } from './message-contents.ts'
import { mayRead, NO_TEXT } from './message-contents.ts'
import { unknown } from './outcomes.ts'
import { approvalRecord } from './records.ts'
import { runRecord, timelineEvent, timelineMessage, timelineStop } from './work-records.ts'

/**
 * A run with its messages, events, approvals, stops and callbacks.
 * @param asked.withText Whether to show the contents of its messages; PERMISSION_DENIED if the operator may not read
 * them.
 */
export const getRunTimeline = async (
  { db, clock }: GatewayContext,
  runId: string,
  asked: AskedText,
): Promise<Found<RunTimeline> | Refusal> => {
  if (!mayRead(asked)) return NO_TEXT
  const run = await findObservedRun(db, runId)
  if (run === null) return unknown('run', runId)
  const [messages, events, approvals, stops, deliveries] = await Promise.all([
    store.readMessagesOfRun(db, run),
    store.readEventsOfRun(db, run),
    store.readApprovalsOfRun(db, run),
    store.readStopsOfRun(db, run),
    store.readDeliveriesOfRun(db, run),
  ])
  const firstOf = (...types: readonly string[]): string | null =>
    events.find(({ type }) => types.includes(type))?.createdAt.toISOString() ?? null
  return found({
    run: runRecord(run, clock.now()),
    started_at: firstOf('run.started'),
    first_output_at: firstOf('assistant.delta', 'assistant.message'),
    usage: run.usage,
    messages: messages.map((message) => timelineMessage(message, asked.withText)),
    events: events.map(timelineEvent),
    approvals: approvals.map(approvalRecord),
    stops: stops.map(timelineStop),
    deliveries: await Promise.all(
      deliveries.map(async (delivery) => ({
        ...deliveryRecord(delivery),
        attempt_log: (await listAttempts(db, delivery)).map(attemptRecord),
      })),
    ),
  })
}
