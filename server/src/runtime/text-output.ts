import type { Writable } from 'node:stream'

/** Lines on their way to standard error or output: a log never holds up or ends what it tells about. */
export interface TextOutput {
  /** Never throws and never waits. What the other side does not take is dropped. */
  write(text: string): void
  /** How many texts were dropped, because there was no room for them or nobody reads any more. */
  dropped(): number
  /** Resolves when nothing is on its way any more; never, where the reader has stopped reading. */
  flushed(): Promise<void>
}

/** What waits for a slow reader. */
const HELD_BYTES = 1024 * 1024

/** A full disk, a pipe without a reader and one whose reader stands still drop text; each goes on when it can again. */
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

/** Node writes to a terminal in blocking mode, in which one that is paused (Ctrl-S) stops the process. */
const neverBlock = (stream: Writable): void => {
  const handle: unknown = Reflect.get(stream, '_handle')
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return
  if (typeof handle.setBlocking === 'function') handle.setBlocking(false)
}
