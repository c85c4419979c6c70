/**
 * Values up to this size are stored inline. Larger ones may be stored out of line, where measuring them costs reading
 * them.
 */
const SHORT_BYTES = 2000

/** The bytes to store as the size of a text of more than `SHORT_BYTES` characters; null for a shorter one. */
export const longBytes = (text: string): number | null => (text.length > SHORT_BYTES ? Buffer.byteLength(text) : null)

/** The same for an SQL expression of a text, but its bytes are compared instead of its characters. */
export const longBytesSql = (text: string): string =>
  `nullif(greatest(octet_length(${text}), ${SHORT_BYTES}), ${SHORT_BYTES})`

/** The size of a JSON column, which is read only if the size was not stored. */
export const bytesOf = (column: string): string =>
  `case when ${column} is null then 0 else coalesce(${column}_bytes, octet_length(${column}::text)) end`
