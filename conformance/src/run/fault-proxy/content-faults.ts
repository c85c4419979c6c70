import { constants, createGzip } from 'node:zlib'
import type { Bytes, Ending } from './bytes.ts'
import { mapBytes } from './bytes.ts'

const CR = 0x0d
const LF = 0x0a
const LINE_ENDS = { crlf: [CR, LF], cr: [CR], lf: [LF] } as const

/** Forwards `count` events of an event stream with LF or CRLF, and then replaces the rest as `then` specifies. */
export async function* interruptAfterEvents(content: Bytes, count: number, then: () => Promise<Ending>): Bytes {
  let left = count
  const hasEnded = createEventEndDetector()
  while (left > 0) {
    const step = await content.next()
    if (step.done) return step.value
    let end = 0
    for (; end < step.value.length && left > 0; end += 1) if (hasEnded(step.value[end] ?? 0)) left -= 1
    yield step.value.subarray(0, end)
  }
  return await then()
}

/** Reads an event stream byte by byte, and reports the byte at which an event with data ends. */
const createEventEndDetector = (): ((byte: number) => boolean) => {
  let line = ''
  let hasData = false
  return (byte) => {
    if (byte === CR) return false
    if (byte !== LF) {
      // Keep only enough of a line to recognize a data line.
      if (line.length < 5) line += String.fromCharCode(byte)
      return false
    }
    const isEnd = line === '' && hasData
    hasData = line === '' ? false : hasData || line.startsWith('data')
    line = ''
    return isEnd
  }
}

/** Replaces CRLF, CR and LF by `to`, even if a CRLF is split over two pieces. */
export const rewriteLineEndings = (content: Bytes, to: 'crlf' | 'cr' | 'lf'): Bytes => {
  let previous = 0
  return mapBytes(content, (piece) => {
    const bytes: number[] = []
    for (const byte of piece) {
      if (byte === CR || (byte === LF && previous !== CR)) bytes.push(...LINE_ENDS[to])
      else if (byte !== LF) bytes.push(byte)
      previous = byte
    }
    return [Uint8Array.from(bytes)]
  })
}

/** Compresses content. Each piece is flushed before the next one is read, so that live streams are not delayed. */
export async function* gzipped(content: Bytes): Bytes {
  const gzip = createGzip()
  const out: Buffer[] = []
  gzip.on('data', (piece: Buffer) => out.push(piece))
  for (;;) {
    const step = await content.next()
    if (step.done) {
      if (step.value === 'complete') {
        await new Promise<void>((resolve) => gzip.once('end', resolve).end())
        yield Buffer.concat(out)
      }
      gzip.destroy()
      return step.value
    }
    await new Promise<void>((resolve) => {
      gzip.write(step.value)
      gzip.flush(constants.Z_SYNC_FLUSH, resolve)
    })
    yield Buffer.concat(out.splice(0))
  }
}
