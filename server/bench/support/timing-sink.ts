import type { EventSink } from '../../src/gateway/stream/event-sink.ts'

/** A reader without a socket that reports each write with events: its time by the monotonic clock, in nanoseconds. */
export const timingSink = (onEvents: (atNs: bigint) => void): EventSink => {
  const listeners: (() => void)[] = []
  const close = (): void => {
    for (const listener of listeners.splice(0)) listener()
  }
  return {
    bufferedBytes: 0,
    write: (bytes) => {
      if (Buffer.from(bytes).includes('id: ')) onEvents(process.hrtime.bigint())
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
