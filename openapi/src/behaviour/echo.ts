/** A word with the white space behind it; white space before the first word stands alone. */
const WORD = /\S+\s*|\s+/gu

/** The pieces in which the echo assistant streams a text back (D-44). */
export const wordsOf = (text: string): string[] => Array.from(text.matchAll(WORD), ([word]) => word)
