/** A text as the value of a header in plain HTTP: one character for each of its bytes in UTF-8 (D-54). */
export const utf8Header = (text: string): string => Buffer.from(text).toString('latin1')
