import type { KnownEvent } from '../generated/gateway.ts'
import { envelopeOf } from './event-log.ts'
import type { StreamCut } from './faults.ts'
import type { StoredConversation } from './state.ts'
import { isUnfinished } from './state.ts'

export interface EventStreamOptions {
  /** Events with a greater seq are sent. */
  readonly after: number
  /** Only this run's events; null for all of the conversation's. */
  readonly runId: string | null
  readonly cut: StreamCut | null
}

/** Each read gets the next frame, or waits for what happens next: nothing is buffered, and nothing keeps a process alive. */
export const createEventStream = (
  conversation: StoredConversation,
  { after, runId, cut }: EventStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const { events, bell, runs, stops } = conversation
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
    const event = events.find(({ seq, run_id }) => seq > position && (runId === null || run_id === runId))
    if (event === undefined) return undefined
    position = event.seq
    sent += 1
    return frame(event)
  }

  const isOver = (): boolean =>
    stops !== conversation.stops ||
    (runId !== null && !runs.some((run) => run.record.run_id === runId && isUnfinished(run)))

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
      await bell.next()
    }
  }

  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(encoder.encode('retry: 1000\n\n')),
      pull,
      cancel: () => {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
}

/** One event a frame, one `data` line (D-30). */
const frame = (event: KnownEvent): string => `id: ${event.seq}\nevent: ${event.type}\ndata: ${envelopeOf(event)}\n\n`
