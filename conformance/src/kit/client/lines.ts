import type { Readable } from 'node:stream'

/** Calls back with every complete line. Only `\n` ends one: Node's readline would also break at U+2028, which JSON may hold. */
export const readLines = (from: Readable, take: (line: string) => void): void => {
  let rest = ''
  from.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}

/** A value as one line of JSON, whichever characters the reader takes for line breaks. */
export const toLine = (value: object): string =>
  JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
