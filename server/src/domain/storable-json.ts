import { storable } from './storable-text.ts'

/** Levels that output in JSON may be nested, as those of input. */
const MOST_LEVELS = 128

export type StorableJson<T> =
  | {
      readonly kind: 'storable'
      readonly value: T
      /** UTF-8 bytes of its JSON. */
      readonly bytes: number
    }
  /** The fault ends a sentence about the value. */
  | { readonly kind: 'invalid'; readonly fault: string }

/** The value as its JSON says it, with texts that the database takes. */
export const storableJson = <T extends object>(value: T): StorableJson<T> => {
  let json: string
  try {
    json = JSON.stringify(value)
  } catch {
    return { kind: 'invalid', fault: 'has something that JSON cannot say' }
  }
  const copy = JSON.parse(json)
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

/** How JSON writes NUL and halves of characters. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/

const withStorableTexts = <T>(value: T): T => {
  if (typeof value === 'string') return storable(value) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withStorableTexts) as T
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storable(name), withStorableTexts(part)])) as T
}
