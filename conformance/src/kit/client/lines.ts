import type { Readable } from 'node:stream'

/**
 * Calls `onLine` with each complete line. Only `\n` ends a line: Node's readline would also split at U+2028, which JSON
 * may contain.
 */
export const readLines = (from: Readable, onLine: (line: string) => void): void => {
  let rest = ''
  from.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
}

/** Encodes a value as one line of JSON. Escapes all characters that a reader may treat as line breaks. */
export const toLine = (value: object): string =>
  JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
