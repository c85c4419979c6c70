import type { Refusal } from '../behaviour/refusal.ts'
import { notFound, refuse } from '../behaviour/refusal.ts'
import type { FieldError } from '../generated/gateway.ts'
import type { Call } from './call.ts'
import { createEventStream } from './event-stream.ts'
import type { RawAnswer } from './outcome.ts'
import { refuseFaults } from './outcome.ts'
import type { GatewayState, StoredConversation } from './state.ts'
import { findConversation, findRun } from './state.ts'

export const streamConversationEvents = (state: GatewayState, call: Call): RawAnswer | Refusal =>
  open(call, 'conversation', () => findConversation(state, call.subject, call.ids.conversation_id))

/** The run's events with the conversation's seq; ends after the run's terminal event. */
export const streamRunEvents = (state: GatewayState, call: Call): RawAnswer | Refusal =>
  open(call, 'run', () => findRun(state, call.subject, call.ids.run_id)?.conversation)

/** 406, 400, 404 and 410 in this order, else the stream (D-29, D-30). */
const open = (
  { headers, query, ids, cut }: Call,
  over: 'conversation' | 'run',
  find: () => StoredConversation | undefined,
): RawAnswer | Refusal => {
  if (!acceptsEventStream(headers.get('accept')))
    return refuse('NOT_ACCEPTABLE', 'The operation answers with text/event-stream, which Accept excludes.')
  const lastEventId = headers.get('last-event-id')
  const after = query.get('after')
  const malformed = refuseMalformed({ 'Last-Event-ID': lastEventId, after })
  if (malformed !== null) return malformed
  const conversation = find()
  if (conversation === undefined) return notFound(over)
  const { prunedSeq, events } = conversation
  const position = Number(lastEventId ?? after ?? prunedSeq)
  if (position < prunedSeq || position > events.length)
    return refuse(
      'CURSOR_EXPIRED',
      'Events after this position are no longer retained, or it was never issued. Reload the snapshot and resume from its watermark.',
    )
  return {
    kind: 'raw',
    status: 200,
    content: createEventStream(conversation, {
      after: position,
      runId: over === 'run' ? (ids.run_id ?? null) : null,
      cut,
    }),
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  }
}

const refuseMalformed = (positions: Readonly<Record<string, string | null>>): Refusal | null => {
  const faults: FieldError[] = Object.entries(positions)
    .filter(([, value]) => value !== null && !/^[0-9]+$/.test(value))
    .map(([pointer]) => ({ pointer, message: 'must be a non-negative integer' }))
  return faults.length === 0 ? null : refuseFaults(faults)
}

const EVENT_STREAM_RANGES = ['text/event-stream', 'text/*', '*/*']

/** Whether a range of `Accept` matches that has no quality of 0. Without the header everything is accepted. */
const acceptsEventStream = (accept: string | null): boolean =>
  accept === null ||
  accept.split(',').some((item) => {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    return EVENT_STREAM_RANGES.includes(range) && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
