/** A word with the white space after it; white space before the first word is a separate piece. */
const WORD = /\S+\s*|\s+/gu

/** The pieces in which the echo assistant streams a text back (D-44). */
export const wordsOf = (text: string): string[] => Array.from(text.matchAll(WORD), ([word]) => word)
