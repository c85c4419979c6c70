import stringify from 'json-stringify-pretty-compact'

/** First line of every generated TypeScript file. */
export const banner = (source: string): string => `// Generated from ${source} by \`pnpm generate\`. Do not edit.\n`

/** Characters that a line of a generated value has at most: what fits is not broken. */
const LINE_LENGTH = 120

/** A value as the text of a JSON file. */
export const toJson = (value: unknown): string => `${stringify(value, { maxLength: LINE_LENGTH })}\n`

/** A value as TypeScript source: as JSON, but with bare keys and with lists of scalars on one line. */
export const toSource = (value: unknown): string =>
  stringify(value, { maxLength: LINE_LENGTH })
    .replace(KEY, '$<before>$<key>:')
    .replace(/\[\s+([^[\]{}]+?)\s+\]/g, (_list, items: string) => `[${items.replace(/\s*\n\s*/g, ' ')}]`)

/** A value as TypeScript source on one line. */
export const toLine = (value: unknown): string =>
  stringify(value, { maxLength: Number.POSITIVE_INFINITY }).replace(KEY, '$<before>$<key>:')

/** A key that needs no quotes. What looks like one inside a text begins with an escaped quote, which no key has before it. */
const KEY = /(?<before>^ *|[{,] ?)"(?<key>[A-Za-z_]\w*)":/gm
