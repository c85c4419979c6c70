import type { Readable } from 'node:stream'

/** Collects the output of a process. The returned function gives its last characters so far. */
export const tailOf = (stream: Readable, characters = 1_000_000): (() => string) => {
  let tail = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-characters)
  })
  return () => tail
}
