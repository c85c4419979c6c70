/** A header line as name and value. */
export type HeaderLine = readonly [name: string, value: string]

/** Groups the flat list of names and values from `node:http`. */
export const headerLines = (rawHeaders: readonly string[]): HeaderLine[] =>
  rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []))
