import { notFound } from '../../../openapi/src/behaviour/refusal.ts'
import { cursorExpired } from '../../../openapi/src/behaviour/requests/refused-requests.ts'
import { OPERATIONS } from '../generated/operations.ts'
import type { StreamCut } from './faults.ts'
import type { Handler, TestedRequest } from './handler.ts'
import { type Outcome, raw } from './respond.ts'
import { findConversation, findRun, isUnfinished, type StoredConversation, type WrittenEvent } from './state.ts'

export const streamConversationEvents: Handler<'streamConversationEvents'> = (state, request) => {
  const conversation = findConversation(state, request.subject, request.ids.conversation_id)
  return conversation === undefined ? notFound('conversation') : open(conversation, null, request)
}

/** The run's events with the conversation's seq; ends after the run's terminal event. */
export const streamRunEvents: Handler<'streamRunEvents'> = (state, request) => {
  const found = findRun(state, request.subject, request.ids.run_id)
  return found === undefined ? notFound('run') : open(found.conversation, found.run.runId, request)
}

/** 410 for positions that cannot be served, else the stream (D-29, D-30). */
const open = (
  conversation: StoredConversation,
  runId: string | null,
  { header, query, cut }: Pick<TestedRequest<'streamRunEvents'>, 'header' | 'query' | 'cut'>,
): Outcome<never> => {
  const { prunedSeq, events } = conversation
  const after = Number(header['Last-Event-ID'] ?? query.after ?? prunedSeq)
  if (after < prunedSeq || after > events.length) return cursorExpired(after < prunedSeq)
  return raw(200, createEventStream(conversation, { after, runId, cut }), {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
}

interface EventStreamOptions {
  /** Events with a greater seq are sent. */
  readonly after: number
  /** Only this run's events; null for all of the conversation's. */
  readonly runId: string | null
  readonly cut: StreamCut | null
}

/**
 * Each read gets the next frame, or waits for the next change. Nothing is buffered, and nothing keeps the process
 * alive.
 */
const createEventStream = (
  conversation: StoredConversation,
  { after, runId, cut }: EventStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const { events, wakeUp, runs, stops } = conversation
  const encoder = new TextEncoder()
  let { pings } = conversation
  let position = after
  let sent = 0
  let isCancelled = false

  const nextFrame = (): string | undefined => {
    if (pings !== conversation.pings) {
      pings = conversation.pings
      return ': ping\n\n'
    }
    const event = events.find((each) => each.seq > position && (runId === null || each.runId === runId))
    if (event === undefined) return undefined
    position = event.seq
    sent += 1
    return frame(event)
  }

  const isOver = (): boolean =>
    stops !== conversation.stops || (runId !== null && !runs.some((run) => run.runId === runId && isUnfinished(run)))

  const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> => {
    while (!isCancelled) {
      if (cut !== null && sent >= cut.cutStreamAfter) {
        if (cut.how === 'end') controller.close()
        else controller.error(new TypeError('The connection was reset.'))
        return
      }
      const next = nextFrame()
      if (next !== undefined) return controller.enqueue(encoder.encode(next))
      if (isOver()) return controller.close()
      await wakeUp.next()
    }
  }

  return new ReadableStream(
    {
      start: (controller) =>
        controller.enqueue(encoder.encode(`retry: ${OPERATIONS.streamRunEvents.stream.retryMs}\n\n`)),
      pull,
      cancel: () => {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
}

/** One event a frame, one `data` line (D-30). */
const frame = ({ seq, type, json }: WrittenEvent): string => `id: ${seq}\nevent: ${type}\ndata: ${json}\n\n`
