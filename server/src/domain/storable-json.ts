import { parseJson } from './json/parse-json.ts'
import { storable } from './storable-text.ts'

/** How deep JSON output may be nested; the same as for input. */
const MOST_LEVELS = 128

export type StorableJson<T> =
  | {
      readonly kind: 'storable'
      readonly value: T
      /** UTF-8 bytes of its JSON. */
      readonly bytes: number
    }
  /** The fault is a predicate, to follow the name of the value: “is nested more than 128 levels deep”. */
  | { readonly kind: 'invalid'; readonly fault: string }

/** The value after a round trip through JSON, with strings that the database can store. */
export const storableJson = <T extends object>(value: T): StorableJson<T> => {
  let json: string
  try {
    json = JSON.stringify(value)
  } catch {
    return { kind: 'invalid', fault: 'contains a value that JSON cannot represent' }
  }
  const copy = parseJson(json) as T
  if (isDeeper(copy, MOST_LEVELS)) return { kind: 'invalid', fault: `is nested more than ${MOST_LEVELS} levels deep` }
  return {
    kind: 'storable',
    value: UNSTORABLE.test(json) ? withStorableTexts(copy) : copy,
    bytes: Buffer.byteLength(json),
  }
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)))

/** NUL and lone surrogates as JSON writes them. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/

const withStorableTexts = <T>(value: T): T => {
  if (typeof value === 'string') return storable(value) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withStorableTexts) as T
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storable(name), withStorableTexts(part)])) as T
}
