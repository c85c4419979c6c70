import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Longest line of a module that is logged; the rest of it is left out. */
const LINE_CHARACTERS = 8 * 1024

/** Calls `onLine` with each line that the stream brings, and with what stands behind the last one. */
export const readLines = (stream: Readable, onLine: (line: string) => void): void => {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const take = (text: string): void => {
    const lines = text.split('\n')
    lines[0] = rest + lines[0]
    rest = (lines.pop() ?? '').slice(0, LINE_CHARACTERS)
    for (const line of lines) if (line.trim() !== '') onLine(line.slice(0, LINE_CHARACTERS))
  }
  stream.on('data', (chunk: Buffer) => take(decoder.write(chunk)))
  stream.on('end', () => take('\n'))
}
