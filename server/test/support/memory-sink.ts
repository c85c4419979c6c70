import type { EventSink } from '../../src/gateway/stream/event-sink.ts'

/** A connection in memory whose reader takes bytes when the test calls `take`. */
export interface MemorySink extends EventSink {
  readonly writes: readonly Uint8Array[]
  /** The `id:` of every frame that was written. */
  readonly seqs: readonly number[]
  readonly text: string
  readonly state: 'open' | 'ended' | 'destroyed'
  /** The reader takes all buffered bytes. */
  take(): void
  /** The reader disconnects. */
  hangUp(): void
}

export interface MemorySinkOptions {
  /** The number of buffered bytes at which a writer has to wait. Default: the reader takes everything at once. */
  readonly highWaterMark?: number
}

export const createMemorySink = ({ highWaterMark }: MemorySinkOptions = {}): MemorySink => {
  const writes: Uint8Array[] = []
  const closeListeners: (() => void)[] = []
  const drainListeners: (() => void)[] = []
  let buffered = 0
  let state: MemorySink['state'] = 'open'
  let isClosed = false
  const release = (): void => {
    for (const listener of drainListeners.splice(0)) listener()
  }
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    release()
    for (const listener of closeListeners.splice(0)) listener()
  }
  const text = (): string => Buffer.concat(writes).toString()
  return {
    writes,
    get text() {
      return text()
    },
    get seqs() {
      return [...text().matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))
    },
    get state() {
      return state
    },
    get bufferedBytes() {
      return buffered
    },
    write: (bytes) => {
      if (state !== 'open') return false
      writes.push(bytes)
      if (highWaterMark === undefined) return true
      buffered += bytes.byteLength
      return buffered < highWaterMark
    },
    drained: () =>
      new Promise((resolve) => {
        if (buffered === 0 || isClosed) resolve()
        else drainListeners.push(resolve)
      }),
    onClose: (listener) => {
      if (isClosed) queueMicrotask(listener)
      else closeListeners.push(listener)
    },
    take: () => {
      buffered = 0
      release()
      if (state === 'ended') close()
    },
    hangUp: () => {
      state = 'destroyed'
      close()
    },
    end: () => {
      if (state !== 'open') return
      state = 'ended'
      if (buffered === 0) queueMicrotask(close)
    },
    destroy: () => {
      state = 'destroyed'
      queueMicrotask(close)
    },
  }
}
