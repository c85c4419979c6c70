/** Replaces NUL and lone surrogates, which the database cannot store. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()
