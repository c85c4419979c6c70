import { followSignal } from '../../transport/follow-signal.ts'
import type { ReplyStart, RunEnd, TextPiece } from './reply-progress.ts'

export interface EventStreamPort {
  readonly start: () => Promise<ReplyStart>
  readonly progress: (signal: AbortSignal) => AsyncGenerator<TextPiece | RunEnd, void, undefined>
  /** The caller's. */
  readonly signal: AbortSignal | undefined
  readonly every: (delayMs: number, callback: () => void) => () => void
}

/** Proxies close what is silent for a minute, some for half of one. */
const HEARTBEAT_MS = 15_000

const encoder = new TextEncoder()

/** A reply as server-sent events. What cannot be read on ends the stream with an error, so that the browser comes again. */
export function toEventStream({ start, progress, signal, every }: EventStreamPort): ReadableStream<Uint8Array> {
  const reading = followSignal(signal)
  const items = progress(reading.signal)
  let endHeartbeat = (): void => {}
  const leave = (reason?: unknown): void => {
    endHeartbeat()
    // A generator would not return before what it waits for has come.
    reading.abort(reason)
  }
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const { runId, after } = await start()
      controller.enqueue(frame('start', after ?? null, { run_id: runId }))
      endHeartbeat = every(HEARTBEAT_MS, () => {
        // A reader that takes nothing is kept alive by nobody.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': ping\n\n'))
      })
    },
    async pull(controller) {
      try {
        const { done, value } = await items.next()
        if (done) {
          leave()
          return controller.close()
        }
        const { seq, ...data } = value
        controller.enqueue('text' in data ? frame('text', seq, data) : frame('end', seq, toEnd(data)))
      } catch (error) {
        leave()
        throw error
      }
    },
    cancel: leave,
  })
}

const toEnd = ({ state, error }: Omit<RunEnd, 'seq'>) =>
  error === null ? { state } : { state, error: { code: error.code, message: error.message } }

/** JSON has no line breaks of its own, so that one `data` line holds it. */
const frame = (event: string, id: number | null, data: unknown): Uint8Array =>
  encoder.encode(`${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
