/** What has no more bytes stands in its row. What has more may be kept apart, and costs its length each time it is looked at. */
const SHORT_BYTES = 2000

/** The bytes of a text that is worth being counted once and for all; null for a short one. */
export const longBytes = (text: string): number | null => (text.length > SHORT_BYTES ? Buffer.byteLength(text) : null)

/** The same of an expression. */
export const longBytesSql = (text: string): string =>
  `nullif(greatest(octet_length(${text}), ${SHORT_BYTES}), ${SHORT_BYTES})`

/** The bytes of a JSON column, which are read only where nobody has written down how many they are. */
export const bytesOf = (column: string): string =>
  `case when ${column} is null then 0 else coalesce(${column}_bytes, octet_length(${column}::text)) end`
