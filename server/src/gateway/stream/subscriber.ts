import type { Timers } from '../../runtime/timers.ts'
import type { EventSink } from './event-sink.ts'

/** Maximum buffered bytes for a slow reader before its connection is closed (D-30). */
const BUFFERED_BYTES = 1024 * 1024

/** One open stream and its position in the log. */
export interface Subscriber {
  readonly runId: string | null
  /** Every event up to this seq was sent or does not belong to this stream. */
  position: number
  /** False after the stream was ended, disconnected, or closed by the reader. */
  readonly open: boolean
  /**
   * Sends without waiting. A reader that is too slow is disconnected and must resume. A reader without a backlog gets
   * even a frame larger than the buffer; otherwise it would fail at that frame each time it resumes.
   */
  push(bytes: Uint8Array): void
  /** Sends, and waits until the reader can take more. Returns false if it had to wait. */
  offer(bytes: Uint8Array): Promise<boolean>
  /** Sends a ping, unless data is already buffered. */
  ping(bytes: Uint8Array): void
  /** Closes the stream cleanly after the sent data, or at once if the reader has not received it within `graceMs`. */
  end(): void
}

export interface SubscriberOptions {
  readonly sink: EventSink
  readonly runId: string | null
  readonly position: number
  readonly timers: Timers
  readonly graceMs: number
  /** Called once, when the stream stops accepting events. */
  readonly onLeave: () => void
}

export const createSubscriber = (options: SubscriberOptions): Subscriber => {
  const { sink, runId, position, timers, graceMs, onLeave } = options
  let open = true
  const leave = (): void => {
    if (!open) return
    open = false
    onLeave()
  }
  sink.onClose(leave)
  return {
    runId,
    position,
    get open() {
      return open
    },
    push: (bytes) => {
      const backlog = sink.bufferedBytes
      if (backlog === 0 || backlog + bytes.byteLength <= BUFFERED_BYTES) {
        sink.write(bytes)
        return
      }
      leave()
      sink.destroy()
    },
    offer: async (bytes) => {
      const hasRoom = sink.write(bytes)
      if (!hasRoom) await sink.drained()
      return hasRoom
    },
    ping: (bytes) => {
      if (sink.bufferedBytes === 0) sink.write(bytes)
    },
    end: () => {
      leave()
      sink.end()
      sink.onClose(timers.after(graceMs, () => sink.destroy()))
    },
  }
}
