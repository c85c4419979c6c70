import stringify from 'json-stringify-pretty-compact'

/** First line of every generated TypeScript file. */
export const banner = (source: string): string => `// Generated from ${source} by \`npm run generate\`. Do not edit.\n`

/** conversation_id → conversationId */
export const toCamelCase = (name: string): string =>
  name.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase())

/** The maximum width of a line; values that fit are not broken into several lines. */
const LINE_LENGTH = 120

/**
 * A document as the text of a JSON file, with a line for each operation and each component. Programs read it; people
 * read the YAML that it comes from.
 */
export const toJson = (document: unknown): string => `${breakLines(document, 3)}\n`

const breakLines = (value: unknown, levels: number): string => {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${breakLines(member, levels - 1)}`,
  )
  return `{\n${members.join(',\n')}\n}`
}

/** A value as TypeScript source: as JSON, but with bare keys and with lists of scalars on one line. */
export const toSource = (value: unknown): string =>
  stringify(value, { maxLength: LINE_LENGTH })
    .replace(KEY, '$<before>$<key>:')
    .replace(/\[\s+([^[\]{}]+?)\s+\]/g, (_list, items: string) => `[${items.replace(/\s*\n\s*/g, ' ')}]`)

/** A value as TypeScript source on one line. */
export const toLine = (value: unknown): string =>
  stringify(value, { maxLength: Number.POSITIVE_INFINITY }).replace(KEY, '$<before>$<key>:')

/** A key that needs no quotes. Similar text inside a string begins with an escaped quote, so it does not match. */
const KEY = /(?<before>^ *|[{,] ?)"(?<key>[A-Za-z_]\w*)":/gm
