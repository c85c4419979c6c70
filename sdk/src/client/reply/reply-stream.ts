import { ApiError } from '../../errors.ts'
import { isTransientError } from '../../transport/retry.ts'
import type { ReplyStart, RunEnd, TextPiece } from './reply-progress.ts'

export interface EventStreamPort {
  readonly start: () => Promise<ReplyStart>
  readonly items: AsyncIterator<TextPiece | RunEnd, void>
  /** The caller's. */
  readonly signal: AbortSignal | undefined
  readonly every: (delayMs: number, callback: () => void) => () => void
}

/** Bun's server closes what is silent for 10 s, proxies after half a minute or a whole one. */
export const HEARTBEAT_MS = 5_000

const encoder = new TextEncoder()

/** A reply as server-sent events. */
export function toEventStream({ start, items, signal, every }: EventStreamPort): ReadableStream<Uint8Array> {
  let endHeartbeat = (): void => {}
  const leave = (): void => {
    endHeartbeat()
    // Closes the connection, also while a piece is waited for. The reader has left, so an error is dropped.
    items.return?.().catch(() => {})
  }
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      endHeartbeat = every(HEARTBEAT_MS, () => {
        // A reader that takes nothing gets no heartbeat.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': ping\n\n'))
      })
      const abort = (): void => {
        leave()
        controller.error(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      const end = endHeartbeat
      endHeartbeat = () => {
        signal?.removeEventListener('abort', abort)
        end()
      }
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
        // A browser comes again to a stream that breaks off: it must not where the same would happen again.
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

/** JSON has no line breaks of its own, so that one `data` line holds it. */
const frame = (event: string, id: number | null, data: unknown): Uint8Array =>
  encoder.encode(`${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

/**
 * The headers of an answer that comes piece by piece. The caller's are kept; `no-transform` is added, since a proxy or a
 * middleware that compresses would hold the pieces back.
 */
export const streamHeaders = (given: HeadersInit | undefined): Headers => {
  const headers = new Headers(given)
  headers.set('Content-Type', 'text/event-stream; charset=utf-8')
  const caching = headers.get('Cache-Control') || 'no-store'
  const isKept = caching.split(',').some((directive) => directive.trim().toLowerCase() === 'no-transform')
  headers.set('Cache-Control', isKept ? caching : `${caching}, no-transform`)
  // nginx would hold the pieces back.
  if (!headers.has('X-Accel-Buffering')) headers.set('X-Accel-Buffering', 'no')
  return headers
}
