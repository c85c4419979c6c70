/** Encodes a text as the value of an HTTP header: one Latin-1 character for each of its UTF-8 bytes (D-54). */
export const utf8Header = (text: string): string => Buffer.from(text).toString('latin1')
