/** Replaces what no text in the database may contain: NUL and halves of characters. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()
