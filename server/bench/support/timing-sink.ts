import type { EventSink } from '../../src/gateway/stream/event-sink.ts'

/** A reader without a socket that reports the arrival of each frame by the monotonic clock, in nanoseconds. */
export const timingSink = (onFrame: (atNs: bigint) => void): EventSink => {
  const listeners: (() => void)[] = []
  const close = (): void => {
    for (const listener of listeners.splice(0)) listener()
  }
  return {
    bufferedBytes: 0,
    write: (bytes) => {
      if (Buffer.from(bytes).includes('id: ')) onFrame(process.hrtime.bigint())
      return true
    },
    drained: () => Promise.resolve(),
    onClose: (listener) => {
      listeners.push(listener)
    },
    end: close,
    destroy: close,
  }
}
