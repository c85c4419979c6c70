import type { Timers } from '../../runtime/timers.ts'
import type { EventSink } from './event-sink.ts'

/** Most bytes that wait for a slow reader before its connection is closed (D-30). */
const BUFFERED_BYTES = 1024 * 1024

/** One open stream, and how far it has come in its log. */
export interface Subscriber {
  readonly runId: string | null
  /** Every event up to this seq was sent, or does not concern this stream. */
  position: number
  /** False from the moment at which the stream was ended, cut off, or closed by the reader. */
  readonly open: boolean
  /**
   * Sends without waiting. A reader that is too slow for it is cut off and resumes; one without a backlog gets even
   * a frame that is larger than the buffer, or it would meet that frame again each time it resumed.
   */
  push(bytes: Uint8Array): void
  /** Sends, and waits until the reader can take more. False when it had to wait. */
  offer(bytes: Uint8Array): Promise<boolean>
  /** Sends a sign of life, unless there is something under way already. */
  ping(bytes: Uint8Array): void
  /** Closes the stream cleanly after what was sent; at once, when the reader has not taken that within `graceMs`. */
  end(): void
}

export interface SubscriberOptions {
  readonly sink: EventSink
  readonly runId: string | null
  readonly position: number
  readonly timers: Timers
  readonly graceMs: number
  /** Called once, when the stream has stopped taking events. */
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
