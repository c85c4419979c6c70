import type { Writable } from 'node:stream'

/** Buffered output to standard error or output. Logging must never block or end the process. */
export interface TextOutput {
  /** Never throws and never waits. Text that the reader does not accept is dropped. */
  write(text: string): void
  /** Number of texts dropped because the buffer was full or the reader is gone. */
  dropped(): number
  /** Resolves when everything is written; never if the reader has stopped. */
  flushed(): Promise<void>
}

/** Buffered bytes beyond which text for a slow reader is dropped. */
const HELD_BYTES = 1024 * 1024

/** A full disk, a closed pipe and a stalled reader cause dropped text; writing continues when it is possible again. */
export const createTextOutput = (stream: Writable): TextOutput => {
  let dropped = 0
  let waiting = 0
  let settle = Promise.withResolvers<void>()
  const settled = (error?: Error | null): void => {
    if (error) dropped += 1
    waiting -= 1
    if (waiting > 0) return
    settle.resolve()
    settle = Promise.withResolvers()
  }
  stream.on('error', () => {})
  neverBlock(stream)
  return {
    write: (text) => {
      if (stream.writableLength > HELD_BYTES) {
        dropped += 1
        return
      }
      waiting += 1
      stream.write(text, settled)
    },
    dropped: () => dropped,
    flushed: () => (waiting === 0 ? Promise.resolve() : settle.promise),
  }
}

/** Node writes to terminals in blocking mode, in which a paused terminal (Ctrl-S) stops the process. */
const neverBlock = (stream: Writable): void => {
  const handle: unknown = Reflect.get(stream, '_handle')
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return
  if (typeof handle.setBlocking === 'function') handle.setBlocking(false)
}
