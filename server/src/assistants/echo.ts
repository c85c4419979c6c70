import type { Assistant } from './assistant.ts'

/** A word with the white space behind it; white space before the first word stands alone. */
const WORD = /\S+\s*|\s+/gu

/** Streams the input text back by word, or the JSON of `data`, as it was sent, where there is no text (D-44). */
export const echo: Assistant = async function* ({ input }) {
  const text = input.text || (input.dataText ?? '')
  for (const [word] of text.matchAll(WORD)) yield { delta: word }
  return undefined
}
