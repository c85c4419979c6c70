import { ApiError } from '../../errors.ts'
import { isTransientError } from '../../transport/retry.ts'
import type { Timing } from '../../transport/timing.ts'
import type { ReplyStart, RunEnd, TextPiece } from './reply-progress.ts'

export interface EventStreamPort {
  readonly start: () => Promise<ReplyStart>
  readonly items: AsyncIterator<TextPiece | RunEnd, void>
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined
  readonly timing: Timing
}

/** Bun's server closes idle connections after 10 s, proxies after 30 or 60 s. */
export const HEARTBEAT_MS = 5_000

const encoder = new TextEncoder()

/** A reply as server-sent events. */
export function toEventStream({ start, items, signal, timing }: EventStreamPort): ReadableStream<Uint8Array> {
  const reading = new AbortController()
  let cancelHeartbeat = (): void => {}
  const leave = (): void => {
    cancelHeartbeat()
    reading.abort()
    // Closes the connection, even while waiting for a piece. The reader has left, so errors are ignored.
    items.return?.().catch(() => {})
  }
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const wait = (): void => {
        cancelHeartbeat = timing.after(HEARTBEAT_MS, beat)
      }
      const beat = (): void => {
        wait()
        // A reader that does not read gets no heartbeat.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': ping\n\n'))
      }
      wait()
      const abort = (): void => {
        leave()
        controller.error(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { signal: reading.signal })
      try {
        const { runId, after } = await start()
        controller.enqueue(frame('start', after ?? null, { run_id: runId }))
      } catch (error) {
        leave()
        throw error
      }
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
        // A browser reconnects to a stream that breaks off; after a permanent error it must not.
        if (!(error instanceof ApiError) || isTransientError(error)) throw error
        const { code, message } = error
        controller.enqueue(frame('end', null, { state: null, error: { code, message } }))
        controller.close()
      }
    },
    cancel: leave,
  })
}

const toEnd = ({ state, error }: Omit<RunEnd, 'seq'>) =>
  error === null ? { state } : { state, error: { code: error.code, message: error.message } }

/** JSON.stringify emits no line breaks, so one `data` line is enough. */
const frame = (event: string, id: number | null, data: unknown): Uint8Array =>
  encoder.encode(`${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

/**
 * The headers of a streamed answer. The caller's are kept except `Content-Type`. `no-transform` is added, because
 * compression in a proxy or middleware would delay the pieces.
 */
export const streamHeaders = (given: HeadersInit | undefined): Headers => {
  const headers = new Headers(given)
  headers.set('Content-Type', 'text/event-stream; charset=utf-8')
  const caching = headers.get('Cache-Control') || 'no-store'
  const isKept = caching.split(',').some((directive) => directive.trim().toLowerCase() === 'no-transform')
  headers.set('Cache-Control', isKept ? caching : `${caching}, no-transform`)
  // nginx would buffer the pieces.
  if (!headers.has('X-Accel-Buffering')) headers.set('X-Accel-Buffering', 'no')
  return headers
}
